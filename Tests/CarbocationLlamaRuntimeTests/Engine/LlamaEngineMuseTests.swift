import CarbocationLocalLLM
import Testing

@testable import CarbocationLlamaRuntime

/// Calls and thinking budgets of models whose messages say whom they are for.
@Suite("Muse replies of a model", .needsRuntime, .timeLimit(.minutes(10)))
struct LlamaEngineMuseTests {
    private static let controlTokens = ["<|start|>", "<|message|>", "<|eom|>", "<|eot|>"]
    private static let call = "<atem:function_calls>\n<atem:invoke name=\"add\">\n"
    private static let parameter = "<atem:parameter name=\"a\">"
    private static let callEnd = "</atem:parameter>\n</atem:invoke>\n</atem:function_calls>"
    /// The end of a prompt that has begun the thinking, behind which the model can tell it from later messages.
    private static let thinkingTail = " to=self<|message|>\n"

    /// A model whose prompt ends with `tail`, and who writes arguments wrong if it may.
    private static func model(tail: String = "", after: [String: [String]]) -> ScriptedModel {
        var next: [String: [String]] = [
            call: [parameter], parameter: ["\"x\"", "1"], "\"x\"": [callEnd], "1": [callEnd], callEnd: ["<|eot|>"],
            "<|eom|>": ["<|start|>"], "<|start|>": ["assistant"], "yes": ["<|eot|>"], "\n": ["hm"], "hm": ["<|eom|>"],
            " to=self": ["<|message|>"], " to=user": ["<|message|>"], " to=add": ["<|message|>"],
            "user": ["<|eot|>"], "functions": [], "!": [],
        ]
        next.merge(after) { $1 }
        return ScriptedModel(
            controlTokens: controlTokens, next: next,
            template: """
                {% if tools %}functions{% endif %}{% for message in messages %}<|start|>user<|message|>user<|eot|>\
                {% endfor %}{% if add_generation_prompt %}{{ "<|start|>assistant\(tail)" }}{% endif %}\
                {# to=self <|eom|> <atem:function_calls> #}
                """)
    }

    @Test("TL-8, TH-4: thoughts, and a call that is held to the tool's schema")
    func call() async throws {
        let reply = try await ScriptedReply(
            of: Self.model(
                tail: Self.thinkingTail, after: ["assistant": [" to=add"], "<|message|>": [Self.call]]))
        #expect(reply.result.thinkingText == "hm")
        #expect(reply.result.finalText.isEmpty)
        #expect(reply.calls == ["add {\"a\":1}"], "\(reply.result.rawGeneratedText ?? "")")
        #expect(reply.result.stopReason == .toolCallComplete)
    }

    @Test("TL-9: a message to a tool that is an object of arguments is a call", arguments: [("1", 1), ("\"x\"", 0)])
    func object(argument: String, accepted: Int) async throws {
        let reply = try await ScriptedReply(
            of: Self.model(after: [
                "assistant": [" to=add"], "<|message|>": ["{\"a\":"], "{\"a\":": [argument], argument: ["}"],
                "}": ["<|eot|>"],
            ]))
        #expect(reply.allCalls == 1 && reply.calls.count == accepted, "\(reply.result.rawGeneratedText ?? "")")
        #expect(reply.result.finalText.isEmpty)
    }

    @Test("TH-4: the answer follows the thoughts, and neither header shows")
    func answer() async throws {
        let reply = try await ScriptedReply(
            of: Self.model(tail: Self.thinkingTail, after: ["assistant": [" to=user"], "<|message|>": ["yes"]]))
        #expect(reply.result.thinkingText == "hm" && reply.result.finalText == "yes")
        #expect(reply.result.stopReason == .complete && reply.allCalls == 0)
    }

    @Test("TL-8: a call that is required takes the place of an answer")
    func required() async throws {
        let answering = Self.model(after: [
            "assistant": [" to=user", " to=add"], "<|message|>": ["yes", Self.call],
        ])
        #expect(try await ScriptedReply(of: answering).result.finalText == "yes")
        let reply = try await ScriptedReply(of: answering, choice: .required)
        #expect(reply.calls == ["add {\"a\":1}"], "\(reply.result.rawGeneratedText ?? "")")
    }

    @Test("TL-12: output that ends within a header shows nothing, and is an unfinished call if it names a tool")
    func header() async throws {
        for (recipient, isCall) in [(" to=user", false), (" to=add", true)] {
            let reply = try await ScriptedReply(
                of: Self.model(after: ["assistant": [recipient], "<|message|>": ["yes"]])
            ) { $0.maxOutputTokens = 1 }
            #expect(reply.result.finalText.isEmpty && reply.result.thinkingText.isEmpty)
            #expect((reply.incompleteCall != nil) == isCall)
        }
    }

    @Test("TH-8: a budget that ends the thinking leaves it to the model whether a call follows", arguments: [0, 3])
    func budget(tokens: Int) async throws {
        let thinker = Self.model(
            tail: Self.thinkingTail,
            after: ["hm": ["hm"], "assistant": [" to=add"], "<|message|>": [Self.call]])
        let reply = try await ScriptedReply(of: thinker) {
            $0.enableThinking = true
            $0.thinkingBudgetTokens = tokens
            $0.thinkingBudgetMessage = "!"
        }
        #expect(reply.result.thinkingText == String(repeating: "hm", count: tokens) + "!")
        #expect(reply.calls == ["add {\"a\":1}"], "\(reply.result.rawGeneratedText ?? "")")
    }

    /// What a model makes of a budget of two tokens for thinking that it begins itself.
    private func resultWithoutTools(_ after: [String: [String]]) async throws -> LLMGenerationResult {
        let start = ["assistant": [" to=self"], "<|message|>": ["hm"]]
        var options = GenerationOptions(temperature: 0, maxOutputTokens: 30, enableThinking: true)
        options.thinkingBudgetTokens = 2
        options.thinkingBudgetMessage = "!"
        let model = Self.model(after: start.merging(after) { $1 })
        return try await model.engine().generatePhased(system: "", prompt: "user", options: options)
    }

    @Test("TH-7: the budget counts from a header that the model writes, and without tools goes on to the answer")
    func withoutTools() async throws {
        let forced = try await resultWithoutTools(["hm": ["hm"]])
        #expect(forced.thinkingText == "hmhm!")
        #expect(forced.finalText.hasPrefix("hm"))
    }

    @Test("TH-7: thinking that ends within its budget is left alone")
    func naturalEnd() async throws {
        let natural = try await resultWithoutTools(["hm": ["<|eom|>"], "<|start|>": ["model"], "model": ["<|eot|>"]])
        #expect(natural.thinkingText == "hm" && natural.finalText.isEmpty)
        #expect(natural.rawGeneratedText?.contains("!") == false, "what follows is not counted as thinking")
    }
}
