import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

/// Replies that may call tools.
@Suite("Tool calls of a model", .needsRuntime, .timeLimit(.minutes(10)))
struct LlamaEngineToolTests {
    private static let calculate = LLMToolDefinition(
        name: "calculate", description: "Do arithmetic.",
        parameters: [
            "type": "object",
            "properties": [
                "operation": ["type": "string", "enum": ["add", "subtract", "multiply"]],
                "operands": ["type": "array", "items": ["type": "number"], "minItems": 2],
            ],
            "required": ["operation", "operands"],
        ])
    private static let weather = LLMToolDefinition(
        name: "get_weather", description: "Get the weather.",
        parameters: ["type": "object", "properties": ["city": ["type": "string"]], "required": ["city"]])

    private struct Outcome {
        var reply: ToolReply
        var result: LLMGenerationResult
        var deltas = ""

        var calls: [LLMToolCall] {
            reply.calls.compactMap { if case .accepted(let call) = $0 { call } else { nil } }
        }
    }

    private static func reply(
        to prompt: String, _ tools: [LLMToolDefinition], choice: LLMToolChoice = .auto, thinks: Bool = false,
        limit: Int = 160
    ) async throws -> Outcome {
        let options = GenerationOptions(temperature: 0, maxOutputTokens: limit, enableThinking: thinks)
        let request = LLMGenerationRequest(prompt: prompt, options: options)
        return try await reply(to: request, ToolOffer(tools, choice: choice))
    }

    private static func reply(
        to request: LLMGenerationRequest, _ offer: ToolOffer?, on loaded: LlamaEngine? = nil
    ) async throws -> Outcome {
        let engine: LlamaEngine
        if let loaded { engine = loaded } else { engine = try await PocketModel.engine() }
        let events = Locked<[LLMGenerationStreamEvent]>([])
        let reply = try await engine.reply(to: request, tools: offer) { event in
            events.withLock { $0.append(event) }
        }
        var result: LLMGenerationResult?
        var deltas = ""
        for event in events.withLock({ $0 }) {
            if case .completed(let completed) = event { result = completed }
            if case .contentDelta(_, let text, _) = event { deltas += text }
        }
        return Outcome(reply: reply, result: try #require(result), deltas: deltas)
    }

    @Test(
        "TF-4, TL-8: dialogues with tools end in the known calls, held to the schema",
        arguments: PocketModel.toolDialogues)
    func dialogue(_ dialogue: PocketModel.Dialogue) async throws {
        let outcome = try await Self.reply(to: dialogue.request, ToolOffer(dialogue.definitions, choice: .auto))
        let raw = try #require(outcome.result.rawGeneratedText)
        #expect(raw == dialogue.expected)
        let expected = dialogue.expected.components(separatedBy: "<tool_call>").count - 1
        #expect(outcome.reply.calls.count == expected)
        #expect(outcome.calls.map(\.executionID) == (0..<expected).map { "call_\($0 + 1)" })
        #expect(outcome.result.stopReason == (expected > 0 ? .toolCallComplete : .complete))
        #expect(!outcome.deltas.contains("tool_call"))
        for call in outcome.calls {
            #expect(dialogue.expected.contains(#""name": "\#(call.name)""#))
            #expect(call.triggerPhase == .final)
        }
    }

    @Test("TL-8: a required call comes although the model would have answered", arguments: [false, true])
    func required(thinks: Bool) async throws {
        let free = try await Self.reply(to: "What is 2 plus 3?", [Self.weather], thinks: thinks)
        #expect(free.reply.calls.isEmpty)
        let outcome = try await Self.reply(
            to: "What is 2 plus 3?", [Self.weather], choice: .required, thinks: thinks)
        let call = try #require(outcome.calls.first, "\(outcome.result.rawGeneratedText ?? "") \(outcome.reply)")
        #expect(call.name == "get_weather")
        #expect(call.arguments.value(forKey: "city")?.stringValue != nil)
        #expect(outcome.result.stopReason == .toolCallComplete)
        #expect(outcome.reply.calls.count == outcome.calls.count)
    }

    @Test("TL-8: with a named tool only that one is offered")
    func named() async throws {
        let outcome = try await Self.reply(
            to: "What is 17 plus 25?", [Self.calculate, Self.weather], choice: .named("get_weather"))
        #expect(outcome.calls.map(\.name).allSatisfy { $0 == "get_weather" })
        #expect(!outcome.calls.isEmpty)
    }

    @Test("TL-8: a call that has begun is held to its tool's schema")
    func constrained() async throws {
        let outcome = try await Self.reply(to: "What is 17 plus 25?", [Self.calculate])
        #expect(outcome.calls.map(\.arguments) == [["operation": "add", "operands": [17, 25]]])
        // The model would write "add" first, of which the grammar knows nothing here.
        var odd = Self.calculate
        odd.parameters = [
            "type": "object",
            "properties": [
                "operation": ["type": "string", "enum": ["subtract", "multiply"]],
                "operands": ["type": "array", "items": ["type": "number"]],
            ],
            "required": ["operation", "operands"],
        ]
        let bound = try await Self.reply(to: "What is 17 plus 25?", [odd])
        #expect(bound.reply.calls.count == 1, "\(bound.result.rawGeneratedText ?? "")")
        #expect(["subtract", "multiply"].contains(bound.calls.first?.arguments.value(forKey: "operation")))
    }

    @Test("TL-2: without tools, or with the choice of none, call-like text stays text")
    func none() async throws {
        let outcome = try await Self.reply(to: "What is 17 plus 25?", [Self.calculate], choice: .none)
        #expect(outcome.reply == ToolReply())
    }

    @Test("TL-12, K08: a limit within a call keeps the text before it and the raw call")
    func cutOff() async throws {
        let whole = try await Self.reply(to: "What is 17 plus 25?", [Self.calculate])
        let outcome = try await Self.reply(
            to: "What is 17 plus 25?", [Self.calculate], limit: whole.result.generatedTokens - 5)
        #expect(outcome.reply.calls.isEmpty)
        #expect(outcome.reply.incompleteCall?.hasPrefix("<tool_call>") == true)
        #expect(outcome.result.stopReason == .maxTokens)
        #expect(outcome.deltas.isEmpty)
    }

    @Test("TF-4, TL-9, TL-12: wherever a limit ends the run, whole calls count and no others")
    func limits() async throws {
        let calls = { (dialogue: PocketModel.Dialogue) in
            dialogue.expected.components(separatedBy: "<tool_call>").count - 1
        }
        let dialogue = try #require(PocketModel.toolDialogues.max { calls($0) < calls($1) })
        let offer = try ToolOffer(dialogue.definitions, choice: .auto)
        let engine = try await PocketModel.engine()
        let whole = try await Self.reply(to: dialogue.request, offer, on: engine)
        #expect(whole.calls.count == calls(dialogue) && !whole.calls.isEmpty)
        for limit in 1..<whole.result.generatedTokens {
            var request = dialogue.request
            request.options.maxOutputTokens = limit
            let outcome = try await Self.reply(to: request, offer, on: engine)
            #expect(whole.calls.starts(with: outcome.calls) && outcome.reply.calls.count == outcome.calls.count)
            #expect(outcome.result.stopReason == (outcome.calls.isEmpty ? .maxTokens : .toolCallComplete))
            #expect(outcome.reply.incompleteCall != "" && !outcome.deltas.contains("tool_call"))
        }
    }

    @Test("PT-1: calls and outputs in the conversation come back in the template's form, with ids of their own")
    func continued() async throws {
        let call = LLMToolCall(
            executionID: "call_1", name: "calculate", arguments: ["operation": "add", "operands": [17, 25]])
        let output = LLMToolOutput(callID: "call_1", name: "calculate", content: ["ok": true, "result": 42])
        let messages = [
            LLMChatMessage(role: .user, content: "What is 17 plus 25?"),
            LLMChatMessage(role: .assistant, content: "", toolCalls: [call]), .tool(output),
        ]
        let options = GenerationOptions(temperature: 0, maxOutputTokens: 60)
        let request = LLMGenerationRequest(messages: messages, options: options)
        let outcome = try await Self.reply(to: request, ToolOffer([Self.calculate], choice: .auto))
        #expect(outcome.result.finalText == "The result is 42.")
        let again = try await Self.reply(to: request, ToolOffer([Self.calculate], choice: .required))
        #expect(again.calls.first?.executionID == "call_2")
    }

    @Test("TF-2: an answer in JSON that only looks like a call at first is no call, and not held to be one")
    func answerInJSON() async throws {
        let prompt = "Give me JSON for Stefan, 7, from Oslo."
        let free = try await Self.reply(to: prompt, [], limit: 60)
        let offered = try await Self.reply(to: prompt, [Self.weather], limit: 60)
        #expect(offered.reply.calls.isEmpty)
        #expect(free.reply == ToolReply())
    }

    @Test("TL-8: a reply that a stop ends before the required call is a failure")
    func missing() async throws {
        let options = GenerationOptions(
            temperature: 0, maxOutputTokens: 60, stopSequences: ["get_weather"], enableThinking: false)
        let request = LLMGenerationRequest(prompt: "Hi", options: options)
        await #expect(throws: LLMEngineError.structuredOutputPhaseFailed("the reply ended without the required call")) {
            try await Self.reply(to: request, ToolOffer([Self.weather], choice: .required))
        }
    }

    @Test("a request with tools and a grammar of its own is refused")
    func conflict() async throws {
        let options = GenerationOptions(grammar: "root ::= \"x\"")
        let request = LLMGenerationRequest(prompt: "Hi", options: options)
        await #expect(throws: LLMToolError.self) {
            try await Self.reply(to: request, ToolOffer([Self.calculate], choice: .auto))
        }
    }
}
