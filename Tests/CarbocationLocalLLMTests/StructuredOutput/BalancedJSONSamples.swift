/// Texts to look for JSON in.
enum BalancedJSONSamples {
    /// A text, and the value it gives while running and at its end.
    struct Sample: Sendable {
        let text: String
        let running: String?
        let end: String?

        init(_ text: String, _ running: String?, atEnd end: String? = nil) {
            self.text = text
            self.running = running
            self.end = end ?? running
        }
    }

    static let table: [Sample] = [
        Sample(#"preamble {"items":[{"ok":true}]} trailing"#, #"{"items":[{"ok":true}]}"#),
        Sample(#"lead [{"a":1},{"b":2}] trailing"#, #"[{"a":1},{"b":2}]"#),
        Sample(#"text {bad] {"x":1}"#, #"{"x":1}"#),
        Sample(#"Items [see below]: {"x":1}"#, #"{"x":1}"#),
        Sample(#"see [1]: {"x":1}"#, #"{"x":1}"#),
        Sample(#"From {notes}: {"a":{"b":"}"}} done"#, #"{"a":{"b":"}"}}"#),
        Sample(#"use {{ x }} then {"ok":true}"#, #"{"ok":true}"#),
        Sample("see [1] for more", nil, atEnd: "[1]"),
        Sample("[1,2,3] …", "[1,2,3]"),
        Sample("[[1,2],[3,4]] see [docs]", "[[1,2],[3,4]]"),
        Sample("{\"a\":1}\nor\n{\"a\":2}", #"{"a":1}"#),
        Sample(#"{"t":"x } y"#, nil),
        Sample(#"{"a":[1,2,],}"#, nil, atEnd: nil),
        Sample("prefix ", nil),
        Sample("prefix STOP {\"ok\":true}", #"{"ok":true}"#),
    ]

    static let cases: [Sample] = [
        Sample("[[1,2],[3,4]] see [docs]", "[[1,2],[3,4]]"),
        Sample("use {{ x }} then\n```json\n{\"ok\":true}\n```\nbye", #"{"ok":true}"#),
        Sample("use {{ x }} then\n```json\n{\"ok\":true}", #"{"ok":true}"#),
        Sample("Items [see below]: {\"a\":1}", #"{"a":1}"#),
        Sample("output so far: {\"t\":\"x } y", nil),
    ]

    static let further: [Sample] = [
        Sample("", nil), Sample("no JSON", nil), Sample("{", nil), Sample("}", nil), Sample("]{}", nil, atEnd: "{}"),
        Sample("{}", "{}"), Sample("[]", "[]"), Sample(" \n\u{A0}[] x", "[]"), Sample("x {} [2]", nil, atEnd: "{}"),
        Sample("x [1] [2] {\"a\":[3]}", #"{"a":[3]}"#),
        Sample("x [-1.5e3, 0 , 2E+1]", nil, atEnd: "[-1.5e3, 0 , 2E+1]"),
        Sample("x [1,\"2\"]", #"[1,"2"]"#), Sample("x [[1]]", "[[1]]"), Sample("x [null]", "[null]"),
        Sample("x [{}]", "[{}]"), Sample("x [1] {\"a\":", nil, atEnd: "[1]"), Sample("x {\"a\":[1]", nil),
        Sample("x {\"a\": see [1]", nil, atEnd: "[1]"), Sample("[{\"a\":1}, bad", #"{"a":1}"#),
        Sample("[1, [2], bad", nil, atEnd: "[2]"), Sample("[{\"a\":[1,2]}, {\"b\":2} bad", #"{"a":[1,2]}"#),
        Sample("{\"a [\": {\"b\":1}, x", #"{"b":1}"#), Sample("{\"a [[1],[2]] \": {\"b\":1}, x", "[[1],[2]]"),
        Sample("{\"a\":\"[\\\"", nil), Sample("{\"a\":\"\\u00e9 \\\\\"}", #"{"a":"\u00e9 \\"}"#),
        Sample("{\"a\":\"\\x\"} {\"b\":1}", #"{"b":1}"#), Sample("{\"a\":01} {\"b\":0}", #"{"b":0}"#),
        Sample("{'a':1} {\"b\":1}", #"{"b":1}"#), Sample("{\"a\":\"line\n\"} {\"b\":1}", #"{"b":1}"#),
        Sample("{\"é😀\":\"\u{2028}\"}", "{\"é😀\":\"\u{2028}\"}"), Sample("{\"a\":tru} [true]", "[true]"),
        Sample("[1 [{\"a\":1}]", #"[{"a":1}]"#), Sample("// {\"a\":1}", #"{"a":1}"#), Sample("{\"a\":NaN}", nil),
        Sample("```json\n{\"a\":1}\n```", #"{"a":1}"#), Sample("<|x|>{\"a\":1}", #"{"a":1}"#),
        Sample("\u{301}{\"a\":1}\u{301}", #"{"a":1}"#),
    ]

    /// Pieces that bring readings in and out of strings, numbers and containers.
    static let pieces = [
        "{", "}", "[", "]", "\"", ":", ",", "\\", " ", "1", "-", "0", ".", "e", "true", "null", "\n", "{\"", "\":",
        "[[",
        "]]", "\"a\":1", "{}", "[]", "\\\"", "\\u00", "é", "x", "\"k\":[", "],",
    ]

    /// Texts put together from `pieces`, the same in every run.
    static func scrambled(count: Int, longest: Int, seed: UInt64) -> [String] {
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        return (0..<count).map { _ in
            (0..<next(longest)).map { _ in pieces[next(pieces.count)] }.joined()
        }
    }
}
