import CarbocationLocalLLM
import Testing

@testable import CarbocationLlamaRuntime

/// Calls and thinking budgets of models that address their messages.
@Suite("Harmony replies of a model", .needsRuntime, .timeLimit(.minutes(10)))
struct LlamaEngineHarmonyTests {
    private static let controlTokens = [
        "<|start|>", "<|end|>", "<|message|>", "<|channel|>", "<|constrain|>", "<|return|>", "<|call|>",
    ]

    /// A model whose prompt ends with `tail`, and who writes arguments wrong if it may.
    private static func model(tail: String = "", after: [String: [String]]) -> ScriptedModel {
        var next: [String: [String]] = [
            "\"x\"": ["}"], "1": ["}"], "}": ["<|call|>"], "{\"a\":": ["\"x\"", "1"],
            "user": ["<|end|>"], "yes": ["<|return|>"], "<|end|>": ["<|start|>"], "<|start|>": ["assistant"],
            "functions": [], "final": ["<|message|>"],
        ]
        next.merge(after) { $1 }
        return ScriptedModel(
            controlTokens: controlTokens, next: next,
            template: """
                {% if tools %}functions{% endif %}{% for message in messages %}<|start|>user<|message|>user<|end|>\
                {% endfor %}{% if add_generation_prompt %}<|start|>assistant\(tail){% endif %}{# <|channel|> #}
                """)
    }

    @Test(
        "TL-8: the arguments are held to the tool's schema, wherever the header names it",
        arguments: [
            ["assistant", "<|channel|>", "commentary", " to=functions.add", "<|message|>"],
            [
                "assistant", "<|channel|>", "commentary", " to=functions.add", " ", "<|constrain|>", "json",
                "<|message|>",
            ],
            ["assistant", " to=functions.add", "<|channel|>", "commentary", "<|message|>"],
            ["assistant", " to=add", "<|channel|>", "analysis", "<|message|>"],
        ])
    func arguments(header: [String]) async throws {
        var after = Dictionary(zip(header, header.dropFirst().map { [$0] })) { $1 }
        after["<|message|>"] = ["yes", "{\"a\":"]
        let outcome = try await ScriptedReply(of: Self.model(after: after))
        #expect(outcome.calls == ["add {\"a\":1}"], "\(outcome.result.rawGeneratedText ?? "")")
        #expect(outcome.result.stopReason == .toolCallComplete)
    }

    @Test("TL-8: an answer, and a message to a tool that was not declared, are held to nothing")
    func free() async throws {
        let answer = try await ScriptedReply(
            of: Self.model(after: [
                "assistant": ["<|channel|>"], "<|channel|>": ["final"], "final": ["<|message|>"],
                "<|message|>": ["yes"],
            ]))
        #expect(answer.result.finalText == "yes" && answer.allCalls == 0)
        let other = try await ScriptedReply(
            of: Self.model(after: [
                "assistant": [" to=functions.sub"], " to=functions.sub": ["<|message|>"], "<|message|>": ["yes"],
            ]))
        #expect(other.allCalls == 1 && other.calls.isEmpty)
    }

    /// A model that thinks for ever, and calls the tool when that is ended for it.
    private static let thinker = model(
        tail: "<|channel|>analysis<|message|>",
        after: [
            "<|message|>": ["hm", "{\"a\":"], "hm": ["hm"], "assistant": [" to=functions.add"],
            " to=functions.add": ["<|channel|>"], "<|channel|>": ["commentary", "final"],
            "commentary": ["<|message|>"], "analysis": ["<|message|>"], "!": [],
        ])

    @Test("TH-8: a budget that ends the thinking leaves it to the model whether a call follows", arguments: [0, 3])
    func budget(tokens: Int) async throws {
        let outcome = try await ScriptedReply(of: Self.thinker) {
            $0.enableThinking = true
            $0.thinkingBudgetTokens = tokens
            $0.thinkingBudgetMessage = "!"
            $0.streamPhaseConfiguration.startsInThinking = true
        }
        #expect(outcome.result.thinkingText == String(repeating: "hm", count: tokens) + "!")
        #expect(outcome.calls == ["add {\"a\":1}"], "\(outcome.result.rawGeneratedText ?? "")")
    }

    @Test("TL-8, TH-8: a required call follows thinking that a budget ends", arguments: [0, 3])
    func requiredWithBudget(tokens: Int) async throws {
        var answering = Self.thinker
        // Without the requirement it would answer.
        answering.next["assistant"] = ["<|channel|>", " to=functions.add"]
        answering.next["<|channel|>"] = ["final", "commentary"]
        answering.next["commentary"] = [" to=functions.add"]
        answering.next[" to=functions.add"] = ["<|message|>"]
        let outcome = try await ScriptedReply(of: answering, choice: .required) {
            $0.enableThinking = true
            $0.thinkingBudgetTokens = tokens
            $0.thinkingBudgetMessage = "!"
            $0.streamPhaseConfiguration.startsInThinking = true
        }
        #expect(outcome.result.thinkingText == String(repeating: "hm", count: tokens) + "!")
        #expect(outcome.calls == ["add {\"a\":1}"], "\(outcome.result.rawGeneratedText ?? "")")
    }

    @Test("TH-7: without tools the forced end goes on to the answer, and a natural end is the end")
    func withoutTools() async throws {
        func result(_ model: ScriptedModel) async throws -> LLMGenerationResult {
            var options = GenerationOptions(temperature: 0, maxOutputTokens: 30, enableThinking: true)
            options.thinkingBudgetTokens = 2
            options.thinkingBudgetMessage = "!"
            options.streamPhaseConfiguration.startsInThinking = true
            return try await model.engine().generatePhased(system: "", prompt: "user", options: options)
        }
        var model = Self.thinker
        model.next["<|message|>"] = ["hm"]
        model.next["hm"] = ["hm"]
        let forced = try await result(model)
        #expect(forced.thinkingText == "hmhm!")
        #expect(forced.finalText.hasPrefix("hm"))
        model.next["hm"] = ["<|end|>"]
        model.next["assistant"] = ["<|channel|>"]
        model.next["<|channel|>"] = ["final"]
        let natural = try await result(model)
        #expect(natural.thinkingText == "hm")
        #expect(natural.rawGeneratedText?.contains("!") == false, "what follows is not counted as thinking")
    }
}
