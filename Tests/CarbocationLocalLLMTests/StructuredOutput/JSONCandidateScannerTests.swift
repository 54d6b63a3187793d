import CarbocationLocalLLM
import Testing

@Suite("JSONCandidateScanner", .timeLimit(.minutes(10)))
struct JSONCandidateScannerTests {
    /// A scanner that has read the text, and the containers that it found.
    private static func scan(
        _ text: String, allowsRawControls: Bool = false
    ) -> (scanner: JSONCandidateScanner, closed: [Range<Int>]) {
        var scanner = JSONCandidateScanner(allowsRawControls: allowsRawControls)
        var closed: [Range<Int>] = []
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            var position = 0
            while let candidate = scanner.advance(in: bytes, from: &position) { closed.append(candidate.range) }
        }
        return (scanner, closed)
    }

    private static func closed(in text: String, allowsRawControls: Bool = false) -> [Range<Int>] {
        scan(text, allowsRawControls: allowsRawControls).closed
    }

    /// Where the first candidate begins that is open after the text.
    private static func open(in text: String) -> Int? {
        scan(text).scanner.openCandidate
    }

    @Test(
        "JB-1: what the parser takes in an array is a candidate, and nothing else",
        arguments: [
            "", "1", "-0", "-1.5e+3", "0.0", "1E9", "true", "false", "null", "\"\"", "\"\\u00E9\\n\"", "{}", "[]",
            " 1 ",
            "1,2", "{\"a\":1}", "{ \"a\" : [ ] , \"b\" : { } }", "[[],[1]]", "\t\r\n1", "\"\u{7F}é\"",
            "01", "-", "+1", ".5", "1.", "1e", "1e+", "1.e1", "0x1", "1 2", "1,", ",1", "tru", "truE", "nulll", "NaN",
            "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\n\"", "\"\t\"", "\"\u{0}\"", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
            "{a:1}", "{'a':1}", "{1:2}", "{\"a\":1 \"b\":2}", "{,}", "{\"a\":1]", "1}", "/**/1", "\u{A0}1", "\u{FEFF}",
            "--1", "-a", "1-", "1e5.5", "00", "-01", "{\"a\"::1}", "{\"a\":1:2}", "[1]2", "\"a\"b",
        ])
    func grammar(element: String) {
        let text = "[\(element)]"
        let isValid = (try? LLMJSONValue(jsonString: text)) != nil
        #expect(Self.closed(in: text).contains(0..<text.utf8.count) == isValid)
    }

    @Test("JB-1: every container is found, inside others and in strings of dropped ones")
    func containers() {
        #expect(Self.closed(in: #"x [{"a":[]}]"#) == [8..<10, 3..<11, 2..<12])
        #expect(Self.closed(in: "{\"[1]\" bad") == [2..<5])
        #expect(Self.closed(in: "{\"a [\": {\"b\":1}, x") == [8..<15])
        #expect(Self.open(in: "x {\"a\":[1,{") == 2)
        #expect(Self.open(in: "x {\"a\":[1,{}}") == nil)
        #expect(Self.open(in: "{\"a [1") == 0)
        #expect(Self.open(in: "{\"a [1\n") == 4)
        #expect(Self.open(in: "{\"a [1\nx") == nil)
    }

    @Test("JS-7: raw control characters are taken only on request")
    func rawControls() {
        #expect(Self.closed(in: "{\"a\":\"1\n2\"}").isEmpty)
        #expect(Self.closed(in: "{\"a\":\"1\n2\"}", allowsRawControls: true) == [0..<11])
        #expect(Self.closed(in: "{\"a\":1\u{1}}", allowsRawControls: true).isEmpty)
    }

    @Test("JB-1: 256 levels of nesting are taken, a candidate with more is dropped", arguments: ["[", "{\"a\":"])
    func depth(opener: String) {
        let close = opener == "[" ? "]" : "}"
        func nested(_ depth: Int) -> String {
            String(repeating: opener, count: depth - 1) + (opener == "[" ? "[]" : "{}")
                + String(repeating: close, count: depth - 1)
        }
        let width = opener.utf8.count
        #expect(Self.closed(in: nested(256)).last == 0..<nested(256).utf8.count)
        let deep = nested(1_000)
        #expect(Self.closed(in: deep).count == 256)
        #expect(Self.closed(in: deep).last == 744 * width..<deep.utf8.count - 744)
    }

    @Test("JB-1: candidates are the same as when each is read on its own")
    func reference() {
        for text in BalancedJSONSamples.scrambled(count: 4_000, longest: 24, seed: 1) {
            let bytes = Array(text.utf8)
            var expected: [Range<Int>] = []
            var open: Int?
            for start in bytes.indices where BalancedJSONReference.isOpener(bytes[start]) {
                switch BalancedJSONReference.fate(of: bytes, from: start) {
                case .closed(let end): expected.append(start..<end)
                case .incomplete: open = open ?? start
                case .dropped: break
                }
            }
            let found = Self.closed(in: text).sorted { $0.lowerBound < $1.lowerBound }
            #expect(found == expected, "\(text.debugDescription)")
            #expect(Self.open(in: text) == open, "\(text.debugDescription)")
        }
    }

    @Test(
        "JB-1: hostile texts take at most two steps a byte",
        arguments: [
            "[", "{", "{\"a\":", "[\"", "{\"[", "[\"[\\\"", "[{\"a\":[1,\"[", "[]", "[1],", "[1,[", "\"[\"{",
            "[\"\\u00",
            "[\"a\",", "{\"a\":[", "[[1] ", "[\n\"\n",
        ])
    func steps(unit: String) {
        let scanner = Self.scan(String(repeating: unit, count: 60_000 / unit.utf8.count)).scanner
        #expect(scanner.steps <= 2 * scanner.count)
    }
}
