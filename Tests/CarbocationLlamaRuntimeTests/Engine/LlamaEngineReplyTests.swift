import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

/// What an engine makes of a reply: thinking, its budget, structured output and probabilities.
@Suite("Replies of a model", .needsRuntime, .timeLimit(.minutes(10)))
struct LlamaEngineReplyTests {
    private static let question = "What is 2 plus 3?"

    private static func result(
        _ change: (inout GenerationOptions) -> Void = { _ in }, control: LLMGenerationControl? = nil
    ) async throws -> LLMGenerationResult {
        var options = GenerationOptions(temperature: 0, maxOutputTokens: 100, enableThinking: true)
        change(&options)
        let engine = try await PocketModel.engine()
        return try await engine.generatePhased(system: "", prompt: question, options: options, control: control)
    }

    @Test("TH-2, TH-3: thinking and answer are told apart")
    func phases() async throws {
        let thinking = try await Self.result()
        #expect(thinking.thinkingText == "I know this one.")
        #expect(thinking.finalText == "5")
        #expect(thinking.phaseSegments.map(\.phase) == [.thinking, .final])
        #expect(thinking.rawGeneratedText?.contains("</think>") == true)
        let answer = try await Self.result { $0.enableThinking = false }
        #expect(answer.thinkingText.isEmpty)
        #expect(answer.finalText == "5")
    }

    @Test("TH-5, K02: a limit within the thinking gives that limit's reason and no answer")
    func limit() async throws {
        let result = try await Self.result { $0.maxOutputTokens = 4 }
        #expect(result.stopReason == .maxTokens)
        #expect(!result.thinkingText.isEmpty)
        #expect(result.finalText.isEmpty)
    }

    @Test("TH-7, TH-8: a budget ends the thinking with its message", arguments: [0, 1, 3])
    func budget(tokens: Int) async throws {
        let result = try await Self.result {
            $0.thinkingBudgetTokens = tokens
            $0.thinkingBudgetMessage = " Stop."
        }
        #expect(result.thinkingText.hasSuffix(" Stop.") || result.thinkingText == "Stop.")
        #expect(!result.finalText.isEmpty)
        #expect(result.rawGeneratedText?.contains("Stop.</think>") == true)
    }

    @Test("TH-9: a request from outside ends the thinking, once")
    func control() async throws {
        let control = LLMGenerationControl()
        let engine = try await PocketModel.engine()
        let options = GenerationOptions(temperature: 0, maxOutputTokens: 100, enableThinking: true)
        let request = LLMGenerationRequest(prompt: Self.question, options: options, control: control)
        var result: LLMGenerationResult?
        for try await event in engine.stream(request) {
            if case .requestSent = event { #expect(control.requestThinkingTermination(message: "Enough.")) }
            if case .completed(let completed) = event { result = completed }
        }
        let raw = try #require(result?.rawGeneratedText)
        #expect(raw.components(separatedBy: "Enough.</think>").count == 2, "\(raw)")
        #expect(!control.requestThinkingTermination(), "the generation is over")
    }

    @Test("ST-2, K10: a grammar waits for the end of the thinking, which a budget may force")
    func lazyGrammar() async throws {
        let result = try await Self.result {
            $0.grammar = "root ::= \"<\" [0-9] [0-9]? \">\""
            $0.thinkingBudgetTokens = 0
            $0.thinkingBudgetMessage = "Stop."
        }
        #expect(result.thinkingText == "Stop.")
        #expect(result.finalText.wholeMatch(of: /<[0-9]+>/) != nil, "\(result.finalText)")
        let natural = try await Self.result { $0.grammar = "root ::= \"<\" [0-9] [0-9]? \">\"" }
        #expect(natural.thinkingText == "I know this one.")
        #expect(natural.finalText.wholeMatch(of: /<[0-9]+>/) != nil, "\(natural.finalText)")
    }

    @Test("ST-2: without thinking a schema holds from the first token")
    func eagerSchema() async throws {
        let result = try await Self.result {
            $0.enableThinking = false
            $0.jsonSchema = [
                "type": "object", "properties": ["n": ["type": "integer", "minimum": 0, "maximum": 9]],
                "required": ["n"],
            ]
        }
        let value = try LLMJSONValue(jsonString: result.finalText)
        #expect(value.objectValue?.keys == ["n"])
        #expect((0...9).contains(value.value(forKey: "n")?.intValue ?? -1))
        #expect(result.stopReason == .complete)
    }

    @Test("JB-3: balanced JSON ends the run, and the answer is exactly the value")
    func balanced() async throws {
        let result = try await Self.result {
            $0.enableThinking = false
            $0.stopAtBalancedJSON = true
            $0.grammar = "root ::= \"Here: {\\\"a\\\":[1]} and more\""
        }
        #expect(result.finalText == "{\"a\":[1]}")
        #expect(result.stopReason == .jsonComplete)
    }

    @Test("ST-3: a limit before the structured output is a failure, within the thinking it is none")
    func missing() async throws {
        let within = try await Self.result {
            $0.grammar = "root ::= [0-9]+"
            $0.maxOutputTokens = 3
        }
        #expect(within.finalText.isEmpty && within.stopReason == .maxTokens)
    }

    @Test("RS-3: logprobs for every generated token", arguments: [0, 3])
    func logprobs(count: Int) async throws {
        let result = try await Self.result { $0.logprobs = count }
        let logprobs = try #require(result.logprobs)
        #expect(logprobs.count == result.generatedTokens)
        let text = logprobs.flatMap(\.chosen.bytes)
        #expect(String(decoding: text, as: UTF8.self).hasSuffix("5"))
        for entry in logprobs {
            #expect(entry.top.count == count)
            #expect(entry.chosen.logprob <= 0)
            // Greedy sampling chooses the likeliest token.
            #expect(count == 0 || entry.top.first?.token == entry.chosen.token)
        }
        #expect(try await Self.result().logprobs == nil)
    }
}
