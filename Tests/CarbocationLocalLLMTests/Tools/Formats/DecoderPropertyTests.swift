import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("All decoders of calls", .timeLimit(.minutes(10)))
struct DecoderPropertyTests {
    private static let expected = [#"write {"text":"TEXT","path":"p"}"#, "now {}"]

    /// The summary without ids.
    private func calls(_ sample: DecoderSample, _ body: String) -> [String] {
        sample.summary(body).map { $0.hasPrefix("#") ? String($0.drop { $0 != " " }.dropFirst()) : $0 }
    }

    private func expected(_ text: String) -> [String] {
        let arguments: LLMJSONValue = ["text": .string(text), "path": "p"]
        return ["write " + arguments.jsonString(), "now {}"]
    }

    @Test(
        "hard texts come through unchanged", arguments: DecoderSample.all,
        [
            "plain", "end } here ] \" {", "it's", "a && b < c > d", "{\"name\":\"rm\",\"arguments\":{}}",
            "</tool_call>", "call:rm{}", "日本 😀", ", now()", "[TOOL_CALLS]", "\\n",
        ])
    func hardTexts(sample: DecoderSample, text: String) {
        #expect(calls(sample, sample.body(text)) == expected(text))
    }

    @Test("a body cut off at any byte never gives a call with other arguments", arguments: DecoderSample.all)
    func truncation(sample: DecoderSample) {
        let whole = expected("some } text, with (brackets] and 'quotes'")
        let bytes = Array(sample.body("some } text, with (brackets] and 'quotes'").utf8)
        for length in 0..<bytes.count {
            let results = calls(sample, String(decoding: bytes.prefix(length), as: UTF8.self))
            for result in results where !result.hasPrefix("!") {
                // Only the end of an envelope tells that parameters are missing.
                let lacksParameters = sample.isOpenEnded && isPart(result, of: whole[0])
                #expect(whole.contains(result) || lacksParameters, "\(length): \(result)")
            }
        }
    }

    /// Whether a call has some of the arguments of another one, unchanged.
    private func isPart(_ call: String, of other: String) -> Bool {
        guard let arguments = try? LLMJSONValue(jsonString: String(call.drop { $0 != "{" })).objectValue,
            let all = try? LLMJSONValue(jsonString: String(other.drop { $0 != "{" })).objectValue,
            call.prefix(while: { $0 != " " }) == other.prefix(while: { $0 != " " })
        else { return false }
        return arguments.pairs.allSatisfy { all[$0.key] == $0.value }
    }

    @Test("mutated bodies are decoded without harm", arguments: DecoderSample.all)
    func mutation(sample: DecoderSample) {
        let body = Array(sample.body(#"it's } ] ) "x" </parameter> <|"|> { [ ("#).utf8)
        let pieces = [
            "{", "}", "[", "]", "(", ")", "\"", "'", "\\", "<|\"|>", ",", ":", "=", "\n", "<", ">", "</parameter>",
            "<function=", "0", "e", "`", "null",
        ]
        var random = SeededGenerator(seed: 42)
        for _ in 0..<400 {
            var bytes = body
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 2: bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
                default: bytes.insert(contentsOf: bytes.prefix(Int.random(in: 0...20, using: &random)), at: place)
                }
            }
            let mutated = String(decoding: bytes, as: UTF8.self)
            let names = calls(sample, mutated).map { $0.prefix { $0 != " " }.drop { $0 == "!" } }
            // Whatever was done to the body, no call has a name that does not stand there.
            #expect(mutated.contains("\\") || names.allSatisfy { $0.isEmpty || mutated.contains($0) })
        }
    }

    @Test("an argument of 40,000 characters", arguments: DecoderSample.all)
    func longArgument(sample: DecoderSample) {
        let text = String(repeating: "word } ' < ", count: 3_637)
        #expect(text.count > 40_000)
        let time = ContinuousClock().measure { #expect(calls(sample, sample.body(text)) == expected(text)) }
        // A fraction of a second alone on the machine; quadratic work would take minutes.
        #expect(time < .seconds(20))
    }

    @Test("work is linear in hostile bodies", arguments: DecoderSample.all)
    func hostile(sample: DecoderSample) {
        let parts = [
            "{", "[", "(", "\"", "'", "\\", "<|\"|>", "</parameter>", "\n</parameter>", "<parameter=a>",
            "\n<parameter=a>",
            "<function=a>", "{\"a\":", "call:f{", "a:b,", "<", "f(", "[ARGS]", "\n", " ", "{'a':", "\u{0}", "#<a>",
            "<arg_key>",
            "[TOOL_CALLS]", "{},", "a=1,", "```",
        ]
        let time = ContinuousClock().measure {
            for part in parts {
                let long = String(repeating: part, count: 1_500)
                _ = sample.decoder.decode(long[...])
                _ = sample.decoder.decode(sample.body(long)[...])
                _ = sample.decoder.decode((sample.body("x").prefix(20) + long)[...])
            }
        }
        #expect(time < .seconds(60))
    }
}
