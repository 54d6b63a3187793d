import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("Random mixtures of markers")
struct GateFuzzTests {
    static let fragments = [
        "<tool_call>", "</tool_call>", "<function=", "add>", "now>", "</function>", "<parameter=a>", "</parameter>",
        "\n", " ", "{", "}", "[", "]", "\"", "'", "`", "```", "```json\n", #"{"name":"add","arguments":{"a":1}}"#,
        #"{"tool_calls":[{"name":"now"}]}"#, #"{"tool_calls""#, ":", "[TOOL_CALLS]", "[ARGS]", "now", "add",
        "<|python_tag|>", ".call(", "(", ")", ";", ",", "<|tool_call>", "<tool_call|>", "call:", #"<|"|>"#,
        "<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>",
        "<|tool_calls_section_begin|>", "<|tool_call_begin|>", "<|tool_call_argument_begin|>", "<|tool_call_end|>",
        "functools[", " functools[", ">>>", "all\n", "now\n{}", "<invoke name=\"", "now\">", "</invoke>",
        "<minimax:tool_call>", "</minimax:tool_call>", "text", "é", "😀", "\\", "<", "</", "Action:",
        "[Calling tool:", "<|tool_call|>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>",
        "<|function_call|>",
    ]

    /// A pseudo-random sequence that is the same in every run.
    private struct Sequence {
        var state: UInt64

        mutating func next(below bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }

        mutating func text(upTo length: Int) -> String {
            (0...next(below: length)).map { _ in GateFuzzTests.fragments[next(below: GateFuzzTests.fragments.count)] }
                .joined()
        }
    }

    @Test("the result does not depend on the cuts, and text stays whole", arguments: ToolCallSyntax.Family.allCases)
    func mixtures(family: ToolCallSyntax.Family) {
        var random = Sequence(state: UInt64(family.rawValue.utf8.count) &* 7_919)
        let gate = ToolGate.of(family)
        for round in 0..<40 {
            var turn = Turn("")
            let text = random.text(upTo: 14)
            let isThinking = round.isMultiple(of: 3)
            turn.parts = [.text(text, isThinking ? .thinking : .final)]
            if isThinking { turn.parts += [.segmentEnd, .text(random.text(upTo: 4), .final)] }
            let whole = GateRun(gate, turn)
            let single = GateRun(gate, turn) { text in text.utf8.map { [$0] } }
            #expect(single == whole, "\(text.debugDescription)")
            let cut = GateRun(gate, turn) { Array($0.utf8).randomChunks(seed: UInt64(round)).map(Array.init) }
            #expect(cut == whole, "\(text.debugDescription)")
            if !isThinking, whole.order.isEmpty, whole.incompleteCall == nil { checkWhole(whole.final, of: text) }
        }
    }

    /// Only superfluous markers may be missing where there is no call.
    private func checkWhole(_ final: String, of text: String) {
        var rest = text[...]
        for character in final {
            guard let index = rest.firstIndex(of: character) else {
                Issue.record("\(final.debugDescription) is not in \(text.debugDescription)")
                return
            }
            rest = rest[rest.index(after: index)...]
        }
    }
}
