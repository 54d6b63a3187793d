import Testing

@testable import CarbocationLocalLLM

@Suite("The rounds of a run with tools", .timeLimit(.minutes(10)))
struct ToolRoundsTests {
    private static let add = LLMTool(
        definition: LLMToolDefinition(
            name: "add", description: "Adds.",
            parameters: ["type": "object", "properties": ["a": ["type": "integer"]], "required": ["a"]])
    ) { $0 }

    private static func rounds(
        _ maximum: Int = 4, choice: LLMToolChoice = .auto, options: GenerationOptions = GenerationOptions()
    ) throws -> ToolRounds {
        let request = LLMToolGenerationRequest(
            prompt: "Hi", options: options, tools: [add], toolChoice: choice, maxToolRounds: maximum)
        return ToolRounds(request, offer: try #require(try request.checkedOffer()))
    }

    private static func reply(_ calls: [LLMToolCall], thought: Int = 0) -> ToolReply {
        var reply = ToolReply()
        reply.calls = calls.map { .accepted($0) }
        reply.thinkingTokens = thought
        return reply
    }

    private static func call(_ id: String, name: String = "add", _ arguments: LLMJSONValue = ["a": 1]) -> LLMToolCall {
        LLMToolCall(executionID: id, name: name, arguments: arguments, triggerPhase: .final)
    }

    private static func output(_ id: String) -> LLMToolOutput {
        LLMToolOutput(callID: id, name: "add", content: ["sum": 2])
    }

    @Test("TL-5: a reply without calls ends the run with its reason")
    func noCalls() throws {
        var rounds = try Self.rounds()
        #expect(rounds.next.messages == [LLMChatMessage(role: .user, content: "Hi")])
        #expect(rounds.take(ToolReply(), of: LLMGenerationResult(finalText: "Hello", stopReason: .maxTokens)) == .end)
        #expect(rounds.stopReason == .maxTokens)
        #expect(rounds.roundsCompleted == 0)
        #expect(rounds.calls.isEmpty && rounds.incompleteCall == nil)
    }

    @Test("TL-5: the turn that goes back keeps reasoning, text and calls, its outputs follow in order")
    func conversation() throws {
        var rounds = try Self.rounds()
        let calls = [Self.call("call_1"), Self.call("call_2")]
        let result = LLMGenerationResult(
            thinkingText: "I add.", finalText: "Let me see. ", stopReason: .toolCallComplete)
        #expect(rounds.take(Self.reply(calls), of: result) == .answer(calls.map { PlannedToolCall($0) }, round: 1))
        #expect(rounds.roundsCompleted == 0)
        rounds.answer([Self.output("call_1"), Self.output("call_2")])
        #expect(rounds.roundsCompleted == 1)
        #expect(
            rounds.next.messages == [
                LLMChatMessage(role: .user, content: "Hi"),
                LLMChatMessage(
                    role: .assistant, content: "Let me see. ", reasoningContent: "I add.", toolCalls: calls),
                LLMChatMessage(role: .tool, content: #"{"sum":2}"#, toolCallID: "call_1", toolName: "add"),
                LLMChatMessage(role: .tool, content: #"{"sum":2}"#, toolCallID: "call_2", toolName: "add"),
            ])
        #expect(rounds.take(ToolReply(), of: LLMGenerationResult(finalText: "2")) == .end)
        #expect(rounds.calls == calls)
        #expect(rounds.outputs == [Self.output("call_1"), Self.output("call_2")])
    }

    @Test("TL-8: only the first reply has to call", arguments: [LLMToolChoice.required, .named("add"), .auto])
    func requirement(choice: LLMToolChoice) throws {
        var rounds = try Self.rounds(choice: choice)
        #expect(rounds.next.offer.isCallRequired == (choice != .auto))
        _ = rounds.take(Self.reply([Self.call("call_1")]), of: LLMGenerationResult())
        rounds.answer([Self.output("call_1")])
        #expect(!rounds.next.offer.isCallRequired)
        #expect(!rounds.next.offer.isWithheld)
        #expect(rounds.next.offer.tools == [Self.add.definition])
    }

    @Test(
        "TL-10, P35: calls beyond the limit are answered with it, and one last reply has no tools",
        arguments: [0, 1, 3])
    func limit(maximum: Int) throws {
        var rounds = try Self.rounds(maximum)
        for round in 0..<maximum {
            let id = "call_\(round + 1)"
            #expect(
                rounds.take(Self.reply([Self.call(id)]), of: LLMGenerationResult())
                    == .answer([PlannedToolCall(Self.call(id))], round: round + 1))
            rounds.answer([Self.output(id)])
        }
        let step = rounds.take(Self.reply([Self.call("last"), Self.call("more")]), of: LLMGenerationResult())
        guard case .answer(let refused, nil) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(refused.map(\.failure?.code) == ["max_tool_rounds", "max_tool_rounds"])
        rounds.answer(refused.map { $0.output(of: $0.failure ?? ToolFailure("")) })
        #expect(rounds.roundsCompleted == maximum)
        #expect(rounds.next.offer.isWithheld && rounds.next.offer.told == nil)
        var last = Self.reply([Self.call("again")])
        last.incompleteCall = "<tool_call>{"
        #expect(rounds.take(last, of: LLMGenerationResult(stopReason: .complete)) == .end)
        #expect(rounds.stopReason == .maxToolRounds)
        #expect(rounds.incompleteCall == "<tool_call>{")
        #expect(rounds.calls.map(\.id).suffix(2) == ["last", "more"])
        #expect(rounds.outputs.count == rounds.calls.count)
    }

    @Test("TL-7: calls of unknown tools and with arguments that do not fit are told, and do not run")
    func mistakes() throws {
        var rounds = try Self.rounds()
        var reply = Self.reply([
            Self.call("call_1", name: "sum"), Self.call("call_2", ["a": "x"]), Self.call("call_3", [1]),
            Self.call("call_4", .string(#"{"a":4}"#)), Self.call("call_5", ["a": 5.0]),
        ])
        reply.calls.append(
            .rejected(
                RejectedToolCall(
                    code: .invalidArguments, message: "The call could not be read.", name: nil, executionID: "call_6")))
        guard case .answer(let planned, 1) = rounds.take(reply, of: LLMGenerationResult()) else {
            Issue.record("no answer")
            return
        }
        #expect(
            planned.map(\.failure?.code) == [
                "unknown_tool", "invalid_arguments", "invalid_arguments", nil, nil, "invalid_arguments",
            ])
        #expect(planned[0].failure?.message == "Unknown tool: sum")
        #expect(planned[1].failure?.message.contains("/a") == true)
        #expect(planned[3].call.arguments == ["a": 4])
        #expect(planned[5].call.name == "unknown")
        // Every output has a call to answer, or templates and engines refuse the conversation.
        rounds.answer(planned.map { $0.output(of: $0.failure ?? ToolFailure("")) })
        #expect(throws: Never.self) { try LLMChatMessage.normalizedConversation(rounds.next.messages) }
    }

    @Test("TL-11: the thinking budget counts for the whole run, and its seed stays")
    func options() throws {
        var rounds = try Self.rounds(
            options: GenerationOptions(maxOutputTokens: 9, enableThinking: true, thinkingBudgetTokens: 10))
        for left in [7, 4, 1, 0, 0] {
            guard rounds.roundsCompleted < 4 else { break }
            _ = rounds.take(Self.reply([Self.call("c\(left)")], thought: 3), of: LLMGenerationResult(seed: 5))
            rounds.answer([])
            #expect(rounds.next.options.thinkingBudgetTokens == left)
            #expect(rounds.next.options.seed == 5)
            #expect(rounds.next.options.maxOutputTokens == 9)
        }
    }

    @Test("TL-12: a run that ends inside a call keeps its text and runs nothing")
    func incomplete() throws {
        var rounds = try Self.rounds()
        var reply = ToolReply()
        reply.incompleteCall = #"<tool_call>{"name":"add""#
        #expect(rounds.take(reply, of: LLMGenerationResult(finalText: "Sure. ", stopReason: .maxTokens)) == .end)
        #expect(rounds.incompleteCall == #"<tool_call>{"name":"add""#)
        #expect(rounds.stopReason == .maxTokens)
    }
}
