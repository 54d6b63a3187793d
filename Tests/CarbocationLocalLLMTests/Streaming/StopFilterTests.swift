import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("StopFilter")
struct StopFilterTests {
    struct Run: Equatable {
        var text: String
        var stop: String?
    }

    /// What the definition says, without any cleverness: the first end position at which a stop ends, there the
    /// longest.
    private static func expected(_ bytes: [UInt8], stops: [String]) -> Run {
        for end in bytes.indices.map({ $0 + 1 }) {
            let matches = stops.filter { !$0.isEmpty && bytes[..<end].suffix($0.utf8.count).elementsEqual($0.utf8) }
            if let stop = matches.max(by: { $0.utf8.count < $1.utf8.count }) {
                return Run(text: String(decoding: bytes[..<(end - stop.utf8.count)], as: UTF8.self), stop: stop)
            }
        }
        return Run(text: String(decoding: bytes, as: UTF8.self), stop: nil)
    }

    private static func run(_ chunks: [[UInt8]], stops: [String]) -> Run {
        var filter = StopFilter(stops: stops)
        var output = chunks.flatMap { filter.push($0) }
        output += filter.finish()
        return Run(text: String(decoding: output, as: UTF8.self), stop: filter.matchedStop)
    }

    @Test(
        "SM-5: the request's stops come first, then the template's, without repeated and empty ones",
        arguments: [
            (["END", "STOP"], ["STOP", "<turn|>", ""], ["END", "STOP", "<turn|>"]),
            ([], [], []),
            (["", "a", "a", " "], ["b", "a"], ["a", " ", "b"]),
            // Equal as text, but not as bytes.
            (["\u{E9}"], ["e\u{301}"], ["\u{E9}", "e\u{301}"]),
        ])
    func effectiveStops(requested: [String], template: [String], expected: [String]) {
        let stops = StopFilter.effectiveStops(requested: requested, template: template)
        #expect(stops.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    }

    @Test(
        "SM-5, SM-6, S04, S06, S07, S08: each push gives what is certain, the end gives the rest",
        arguments: [
            (["quick ", "bro", "wn f", "ox jumps"], ["brown fox"], ["quick ", "", "", ""], "", "brown fox"),
            (["one ", "END"], ["END\nXX"], ["one ", ""], "END", nil),
            (["Mars", "?\n"], ["\n"], ["Mars", "?"], "", "\n"),
            (["ple", "as"], ["<|eot|>assistant"], ["ple", "as"], "", nil),
            (["alpha STOP beta END"], ["END", "STOP"], ["alpha "], "", "STOP"),
            (["2 <"], ["<note>!"], ["2 "], "<", nil),
            (["p <", " q, <", "note>"], ["<note>!"], ["p ", "< q, ", ""], "<note>", nil),
            (["abc"], [], ["abc"], "", nil),
        ] as [([String], [String], [String], String, String?)])
    func pushes(tokens: [String], stops: [String], expected: [String], rest: String, stop: String?) {
        var filter = StopFilter(stops: stops)
        #expect(tokens.map { String(decoding: filter.push(Array($0.utf8)), as: UTF8.self) } == expected)
        #expect(String(decoding: filter.finish(), as: UTF8.self) == rest)
        #expect(filter.matchedStop == stop)
    }

    @Test(
        "SM-5: the stop that is complete first wins, of several the one that starts first",
        arguments: [
            ("xabcd", ["bc", "abcd"], Run(text: "xa", stop: "bc")),
            ("xabcd", ["cd", "abcd", "bcd"], Run(text: "x", stop: "abcd")),
            ("xabcd", ["abce", "bcd"], Run(text: "xa", stop: "bcd")),
            ("aab", ["ab"], Run(text: "a", stop: "ab")),
            ("aaaab", ["aab"], Run(text: "aa", stop: "aab")),
            ("ab", ["ab", "ab"], Run(text: "", stop: "ab")),
            ("a b", [" "], Run(text: "a", stop: " ")),
        ])
    func ties(text: String, stops: [String], expected: Run) {
        #expect(text.byteChunkings().filter { Self.run($0, stops: stops) != expected } == [])
    }

    static let samples: [(String, [String])] = [
        ("quick brown fox jumps", ["brown fox", "fox", "wn"]),
        ("ababababac", ["ababac", "abac"]),
        ("aaaaaaaabaaaa", ["aab", "baaaa", "aaaaaaaaa"]),
        ("<|im_sta <|im_end <|im_start|>x", ["<|im_end|>", "<|im_start|>"]),
        ("é€😀 and €", ["€ ", "😀 a", "\u{20AC}"]),
        ("no stop at all <|", ["<|eot|>", "<|end|>"]),
        ("x<turn|><turn|>", ["<turn|>", "<turn|><"]),
    ]

    @Test("SM-5: however the bytes are cut, the outcome is that of the definition", arguments: samples)
    func everyChunking(text: String, stops: [String]) {
        let expected = Self.expected(Array(text.utf8), stops: stops)
        #expect(text.byteChunkings().filter { Self.run($0, stops: stops) != expected } == [])
    }

    @Test("SM-5: the same for random text of few letters, where stops overlap")
    func randomTexts() {
        for seed in 0..<60 {
            var state = UInt64(seed) &* 977 &+ 13
            func word(_ length: Int) -> String {
                String(
                    (0..<length).map { _ in
                        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                        return ["a", "b", "c"][Int(state >> 33 % 3)]
                    })
            }
            let stops = [word(4), word(5), word(6), word(7)]
            let text = word(60)
            let expected = Self.expected(Array(text.utf8), stops: stops)
            let wrong = text.byteChunkings(samples: 4).filter { Self.run($0, stops: stops) != expected }
            #expect(wrong == [], "\(stops) in \(text)")
        }
    }

    @Test("SM-6: what is held is the longest suffix that begins a stop", arguments: samples)
    func holdsOnlyPrefixes(text: String, stops: [String]) {
        let bytes = Array(text.utf8)
        var filter = StopFilter(stops: stops)
        for end in bytes.indices {
            _ = filter.push([bytes[end]])
            guard filter.matchedStop == nil else { return }
            let longest = (0...end + 1).last { length in
                stops.contains { $0.utf8.count > length && $0.utf8.starts(with: bytes[...end].suffix(length)) }
            }
            #expect(filter.held.count == longest)
        }
    }

    @Test("after a match everything is dropped")
    func afterMatch() {
        var filter = StopFilter(stops: ["."])
        #expect(filter.push(Array("a.b".utf8)) == Array("a".utf8))
        #expect(filter.push(Array("c.".utf8)) == [])
        #expect(filter.finish() == [])
        #expect(filter.matchedStop == ".")
    }

    @Test("SM-5: a stop equal to an awaited marker passes, until it is no longer awaited")
    func ignoredStops() {
        var filter = StopFilter(stops: ["</think>", "think"])
        filter.ignore(stopsEqualTo: ["</think>", "think"])
        #expect(filter.push(Array("plan</think>".utf8)) == Array("plan</think>".utf8))
        #expect(filter.held.isEmpty)
        filter.ignore(stopsEqualTo: [])
        #expect(filter.push(Array(" a </th".utf8)) == Array(" a ".utf8))
        #expect(filter.push(Array("ink>".utf8)) == Array("</".utf8))
        #expect(filter.matchedStop == "think")
    }

    @Test("SM-5: a shorter stop inside an ignored one still matches")
    func ignoredStopWithSuffix() {
        var filter = StopFilter(stops: ["<end>", "end>"])
        filter.ignore(stopsEqualTo: ["<end>"])
        #expect(filter.push(Array("a<end>b".utf8)) == Array("a<".utf8))
        #expect(filter.matchedStop == "end>")
    }

    @Test("SM-6: a long stop and output that keeps nearly matching it take linear time", .timeLimit(.minutes(10)))
    func linearTime() {
        let stop = String(repeating: "a", count: 20_000) + "b"
        var filter = StopFilter(stops: [stop, String(repeating: "ab", count: 10_000) + "c"])
        var count = 0
        let chunk = Array(repeating: UInt8(ascii: "a"), count: 1_000)
        for _ in 0..<1_000 { count += filter.push(chunk).count }
        count += filter.finish().count
        #expect(count == 1_000_000)
    }
}
