import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("ScriptedLLMEngine, tools", .timeLimit(.minutes(10)))
struct ScriptedToolReplyTests {
    private typealias Step = ScriptedLLMEngine.Step

    private static let add = LLMToolDefinition(name: "add", description: "Adds.")
    private static let now = LLMToolDefinition(name: "now", description: "The time.")

    /// One reply that may call tools.
    private struct Reply {
        var calls: [LLMToolCall] = []
        var reply = ToolReply()
        var transcript: ScriptedTranscript

        init(
            of turn: [ScriptedLLMEngine.Step], choice: LLMToolChoice = .auto, isWithheld: Bool = false,
            messages: [LLMChatMessage] = [LLMChatMessage(role: .user, content: "abcd")],
            options: GenerationOptions = GenerationOptions()
        ) async throws {
            let offer = try ToolOffer([add, now], choice: choice)
            let replied = Locked<ToolReply?>(nil)
            let engine = ScriptedLLMEngine(script: [turn])
            let request = LLMGenerationRequest(messages: messages, options: options)
            transcript = await ScriptedTranscript(
                of: LLMGenerationStream { emit in
                    let reply = try await engine.reply(
                        to: request, tools: isWithheld ? offer?.withheld : offer, emit: emit)
                    replied.withLock { $0 = reply }
                })
            reply = replied.withLock { $0 } ?? ToolReply()
            calls = reply.calls.compactMap { call in
                if case .accepted(let call) = call { call } else { nil }
            }
        }
    }

    @Test("FE-2, TF-4: calls end the turn; their text shows nowhere, what follows is not written")
    func calls() async throws {
        let reply = try await Reply(of: [
            .text("Let me look.\n"), .toolCall(name: "add", arguments: ["a": 1]), .text(" \n"),
            .toolCall(name: "now", arguments: [:], id: "x"), .text("never"), .toolCall(name: "add", arguments: [:]),
        ])
        #expect(
            reply.calls == [
                LLMToolCall(executionID: "call_1", name: "add", arguments: ["a": 1], triggerPhase: .final),
                LLMToolCall(executionID: "x", rawID: "x", name: "now", arguments: [:], triggerPhase: .final),
            ])
        #expect(reply.reply.incompleteCall == nil)
        let result = try #require(reply.transcript.result)
        #expect(result.finalText == "Let me look.\n")
        #expect(result.rawGeneratedText == "Let me look.\n")
        #expect(result.stopReason == .toolCallComplete)
        #expect(result.generatedTokens == 3)
    }

    @Test(
        "FE-2: the trigger phase is thinking after a thinking step, else final",
        arguments: [
            ([], [.final]), ([.thinking("a")], [.thinking]), ([.thinking("a"), .text("b")], [.final]),
            ([.text("b"), .thinking("a")], [.thinking]), ([.thinking("a"), .delay(.zero)], [.thinking]),
        ] as [([ScriptedLLMEngine.Step], [LLMStreamContentPhase])])
    func triggerPhase(before: [ScriptedLLMEngine.Step], phases: [LLMStreamContentPhase]) async throws {
        let reply = try await Reply(of: before + [.toolCall(name: "add", arguments: [:])])
        #expect(reply.calls.map(\.triggerPhase) == phases)
        let all = try await Reply(
            of: before + [.toolCall(name: "add", arguments: [:]), .toolCall(name: "now", arguments: [:])])
        #expect(all.calls.map(\.triggerPhase) == phases + phases)
    }

    @Test("TF-4, TH-8: calls after thinking that was ended are no calls of the thinking")
    func endedThinking() async throws {
        let options = GenerationOptions(
            enableThinking: true, thinkingBudgetTokens: 1, thinkingBudgetMessage: "!")
        let reply = try await Reply(
            of: [.thinking("a"), .thinking("b"), .toolCall(name: "add", arguments: [:])], options: options)
        #expect(reply.calls.map(\.triggerPhase) == [.final])
        #expect(reply.transcript.result?.thinkingText == "a!")
        #expect(reply.reply.thinkingTokens == 1)
    }

    @Test("TF-4: thinking ends the calls as text does, and a reason of the script does not count")
    func ends() async throws {
        for last in [Step.thinking("never"), .stop("max-tokens"), .text("never")] {
            let reply = try await Reply(of: [.toolCall(name: "add", arguments: [:]), last])
            #expect(reply.calls.count == 1)
            #expect(reply.transcript.result?.stopReason == .toolCallComplete)
            #expect(reply.transcript.result?.rawGeneratedText?.isEmpty == true)
        }
        let failed = try await Reply(of: [.toolCall(name: "add", arguments: [:]), .fail(LLMEngineError.noModelLoaded)])
        #expect(failed.transcript.error as? LLMEngineError == .noModelLoaded)
    }

    @Test("TL-4: ids are new in the conversation and in the turn")
    func ids() async throws {
        let earlier = [
            LLMChatMessage(role: .user, content: "a"),
            LLMChatMessage(
                role: .assistant, content: "",
                toolCalls: [LLMToolCall(executionID: "call_1", name: "add", arguments: [:])]),
            LLMChatMessage.tool(LLMToolOutput(callID: "call_1", name: "add", content: 1)),
        ]
        let reply = try await Reply(
            of: [
                .toolCall(name: "add", arguments: [:]), .toolCall(name: "add", arguments: [:], id: "call_2"),
                .toolCall(name: "add", arguments: [:], id: "call_1"), .toolCall(name: "add", arguments: [:], id: "  "),
            ], messages: earlier)
        #expect(reply.calls.map(\.id) == ["call_3", "call_2", "call_4", "call_5"])
        #expect(reply.calls.map(\.rawID) == [nil, "call_2", "call_1", nil])
    }

    @Test("TL-2: without tools a call is left out, which a diagnostic tells, and the text goes on")
    func withoutTools() async throws {
        let turn: [Step] = [.text("a"), .toolCall(name: "add", arguments: [:]), .text("b")]
        let replies = [
            try await Reply(of: turn, choice: .none).transcript, await ScriptedLLMEngine(script: [turn]).transcript(),
        ]
        for reply in replies {
            #expect(reply.result?.finalText == "ab")
            #expect(reply.result?.generatedTokens == 2)
            #expect(reply.result?.stopReason == .complete)
            #expect(reply.diagnostics.count == 1)
            #expect(reply.diagnostics.first?.contains("add") == true)
        }
    }

    @Test("calls are returned though tools are withheld, for whoever runs the loop to drop")
    func withheld() async throws {
        let reply = try await Reply(of: [.toolCall(name: "add", arguments: [:])], isWithheld: true)
        #expect(reply.calls.map(\.name) == ["add"])
    }

    @Test("names and arguments are passed on unchecked")
    func unchecked() async throws {
        let reply = try await Reply(of: [.toolCall(name: "no such", arguments: [1])])
        #expect(reply.calls.map(\.name) == ["no such"])
        #expect(reply.calls.map(\.arguments) == [[1]])
        let text = try await Reply(of: [.text(#"{"tool_calls":[{"name":"add","arguments":{}}]}"#)])
        #expect(text.calls.isEmpty)
        #expect(text.transcript.result?.finalText == #"{"tool_calls":[{"name":"add","arguments":{}}]}"#)
    }

    @Test("TL-8: a reply that ends by itself without the required call fails")
    func required() async throws {
        for choice in [LLMToolChoice.required, .named("add")] {
            let failed = try await Reply(of: [.text("a")], choice: choice)
            #expect(
                failed.transcript.error as? LLMEngineError
                    == .structuredOutputPhaseFailed("the reply ended without the required call"))
            #expect(failed.transcript.statistics?.reason == .failed)
            #expect(failed.transcript.folded[.final] == "a")
            let called = try await Reply(of: [.toolCall(name: "add", arguments: [:])], choice: choice)
            #expect(called.calls.count == 1)
            let cut = try await Reply(
                of: [.text("a"), .text("b")], choice: choice, options: GenerationOptions(maxOutputTokens: 1))
            #expect(cut.transcript.result?.stopReason == .maxTokens)
        }
    }

    @Test("FE-2: a call counts as a chunk, and the calls up to the limit count")
    func limit() async throws {
        let reply = try await Reply(
            of: [.text("a"), .toolCall(name: "add", arguments: [:]), .toolCall(name: "now", arguments: [:])],
            options: GenerationOptions(maxOutputTokens: 2))
        #expect(reply.calls.map(\.name) == ["add"])
        #expect(reply.transcript.result?.stopReason == .toolCallComplete)
        #expect(reply.transcript.result?.generatedTokens == 2)
    }

    @Test("text that may become a stop is released before a call")
    func heldText() async throws {
        let reply = try await Reply(
            of: [.text("a ST"), .toolCall(name: "add", arguments: [:])],
            options: GenerationOptions(stopSequences: ["STOP"]))
        #expect(reply.transcript.result?.finalText == "a ST")
        #expect(reply.calls.count == 1)
    }

    @Test("tools exclude what describes the whole reply, and no turn is taken")
    func exclusions() async throws {
        for options in [
            GenerationOptions(stopAtBalancedJSON: true), GenerationOptions(grammar: "root ::= \"a\""),
            GenerationOptions(jsonSchema: ["type": "object"]),
        ] {
            let engine = ScriptedLLMEngine(script: [[.text("a")]])
            let offer = try ToolOffer([Self.add], choice: .auto)
            await #expect(throws: LLMToolError.self) {
                try await engine.reply(to: LLMGenerationRequest(prompt: "a", options: options), tools: offer) { _ in }
            }
            #expect(await engine.receivedRequests.isEmpty)
            let plain = ToolReply()
            #expect(
                try await engine.reply(to: LLMGenerationRequest(prompt: "a", options: options), tools: nil) { _ in }
                    == plain)
        }
    }

    @Test("FE-1, FE-3: a run with tools takes a turn for each reply, and all requests are received")
    func run() async throws {
        let engine = ScriptedLLMEngine(script: [
            [.thinking("Add."), .toolCall(name: "add", arguments: ["a": 17, "b": 25])],
            [.text("It is "), .text("42.")],
        ])
        let add = LLMTool(definition: Self.add) { arguments in
            .int((arguments.value(forKey: "a")?.intValue ?? 0) + (arguments.value(forKey: "b")?.intValue ?? 0))
        }
        let result = try await engine.generateWithToolsPhased(
            LLMToolGenerationRequest(prompt: "What is 17 plus 25?", tools: [add]))
        #expect(result.finalText == "It is 42.")
        #expect(result.thinkingText == "Add.")
        #expect(result.toolCalls.map(\.id) == ["call_1"])
        #expect(result.toolOutputs.map(\.content) == [42])
        #expect(result.roundsCompleted == 1)
        let received = await engine.receivedRequests
        #expect(received.map { $0.messages.map(\.role) } == [[.user], [.user, .assistant, .tool]])
        #expect(received.last?.messages[1].reasoningContent == "Add.")
        #expect(received.last?.messages[1].toolCalls == result.toolCalls)
        #expect(received.last?.messages[2].toolCallID == "call_1")
    }

    @Test("timeouts of tools are those of the engine's clock")
    func timeout() async throws {
        let clock = ManualClock()
        let engine = ScriptedLLMEngine(
            script: [[.toolCall(name: "now", arguments: [:])], [.text("No answer.")]], clock: clock)
        let now = LLMTool(definition: Self.now, timeout: .seconds(5)) { _ in
            await Gate.passOnCancellation()
            return nil
        }
        let running = Task {
            try await engine.generateWithTools(LLMToolGenerationRequest(prompt: "a", tools: [now]))
        }
        await clock.sleeping()
        clock.advance(by: .seconds(5))
        let result = try await running.value
        #expect(result.finalText == "No answer.")
        #expect(result.toolOutputs.map(\.isError) == [true])
    }
}
