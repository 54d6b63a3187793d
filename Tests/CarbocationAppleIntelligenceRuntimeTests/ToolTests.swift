import CarbocationLocalLLM
import FoundationModels
import TestSupport
import Testing

@testable import AppleIntelligenceWithStubs

@Suite("Tools of the system's model", .timeLimit(.minutes(10)))
struct ToolTests {
    private let engine = AppleIntelligenceEngine.quiet

    private func request(
        _ tools: [LLMTool], _ change: (inout LLMToolGenerationRequest) -> Void = { _ in }
    ) -> LLMToolGenerationRequest {
        var request = LLMToolGenerationRequest(system: "Be exact.", prompt: "What is it?", tools: tools)
        change(&request)
        return request
    }

    private static let sum = #"{"operation":"add","operands":[17,25]}"#

    @Test("TL-5, TL-7, TL-10: the same runs as with other engines", arguments: ToolContract.all)
    func contract(contract: ToolContract) async {
        // What the others think, this model does not.
        guard !contract.name.contains("thinking") else { return }
        var steps: [StubScript.Step] = []
        for turn in contract.script {
            var text = ""
            var calls: [StubScript.Call] = []
            for step in turn {
                switch step {
                case .text(let chunk):
                    text += chunk
                    steps.append(.snapshot(text))
                case .toolCall(let name, let arguments, _):
                    calls.append(StubScript.Call(name, arguments.jsonString()))
                default: break
                }
            }
            if !calls.isEmpty { steps.append(.calls(calls)) }
        }
        for entries in StubScript.CallEntries.allCases {
            // Calls at the same time come in any order, so the contract's come one after the other.
            let script = StubScript([steps], callEntries: entries, runsCallsTogether: false)
            let log = await script.run { await ToolRunLog.of(contract.request, on: engine) }
            #expect(log == contract.log)
        }
    }

    @Test("AI-6: the system is told of the tools, and the model of their outputs")
    func told() async throws {
        let script = StubScript([[.calls([StubScript.Call("calculate", Self.sum)]), .snapshot("42")]])
        let result = try await script.run {
            try await engine.generateWithToolsPhased(request([ToolContract.calculate()]))
        }
        #expect(result.finalText == "42")
        #expect(result.toolCalls.map(\.triggerPhase) == [nil])
        #expect(result.generation.templateMode == .unavailable)
        #expect(result.generation.stopReason == .complete)
        #expect(
            script.requests.map(\.transcript) == [
                [
                    "instructions: Be exact. <calculate calculate{operation:calculate_operation"
                        + "(add|subtract|multiply|divide|power),operands:[Double]}>"
                ]
            ])
    }

    @Test("TL-6: two calls at the same time are one round", arguments: [StubScript.CallEntries.first, .last])
    func parallel(entries: StubScript.CallEntries) async throws {
        // Each waits for the other.
        let first = OneShot<Void>()
        let second = OneShot<Void>()
        let tool = LLMTool(definition: LLMToolDefinition(name: "meet", description: "Meets.")) { arguments in
            let isFirst = arguments.value(forKey: "n") == 1
            (isFirst ? first : second).resolve(())
            await (isFirst ? second : first).value()
            return arguments
        }
        let calls = [StubScript.Call("meet", #"{"n":1}"#), StubScript.Call("meet", #"{"n":2}"#)]
        let again = [StubScript.Call("meet", #"{"n":3}"#)]
        let script = StubScript([[.calls(calls), .calls(again), .snapshot("met")]], callEntries: entries)
        let result = try await script.run { try await engine.generateWithToolsPhased(request([tool])) }
        #expect(result.roundsCompleted == 2)
        #expect(result.toolCalls.map(\.id) == ["call_1", "call_2", "call_3"])
        #expect(result.toolOutputs.map(\.callID) == ["call_1", "call_2", "call_3"])
        #expect(result.toolOutputs.map(\.content) == result.toolCalls.map(\.arguments))
    }

    @Test("TL-6: calls at the same time, one after the other where the request says so")
    func limited() async throws {
        let running = Locked((now: 0, most: 0))
        let tool = LLMTool(definition: LLMToolDefinition(name: "go", description: "Goes.")) { _ in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            await Task.yield()
            running.withLock { $0.now -= 1 }
            return .null
        }
        let calls = (0..<8).map { StubScript.Call("go", #"{"n":\#($0)}"#) }
        let script = StubScript([[.calls(calls), .snapshot("gone")]])
        let result = try await script.run {
            try await engine.generateWithToolsPhased(request([tool]) { $0.maximumConcurrentToolCalls = 1 })
        }
        #expect(running.withLock { $0.most } == 1)
        #expect(result.toolOutputs.count == 8)
        #expect(result.roundsCompleted == 1)
    }

    @Test("TL-7: arguments that do not fit, and what the model is told")
    func invalid() async {
        let call = StubScript.Call("calculate", #"{"operation":"guess","operands":[]}"#)
        let script = StubScript([[.calls([call]), .snapshot("Sorry.")], []])
        let log = await script.run {
            await ToolRunLog.of(request([ToolContract.calculate()]), on: engine)
        }
        #expect(log.contains("fail call_1 invalid_arguments"))
        #expect(log.contains("final: Sorry."))
    }

    @Test("TL-7: a tool that is not there")
    func unknown() async throws {
        try await StubScript([]).run {
            let told = Locked<[String]>([])
            let request = request([ToolContract.calculate()])
            let prepared = try PreparedGeneration(
                request.messages, options: request.options, offer: try request.checkedOffer(),
                configuration: AppleIntelligenceConfiguration(heartbeatInterval: 0))
            let gateway = ToolGateway(request, prepared: prepared, clock: ContinuousClock()) { event in
                if case .toolCallFailed(let output) = event { told.withLock { $0.append(output.callID) } }
            }
            let answer = try await gateway.answer("other", [:])
            #expect(answer.contains("unknown_tool"))
            #expect(told.withLock { $0 } == ["call_1"])
            await gateway.close()
            await #expect(throws: CancellationError.self) { try await gateway.answer("other", [:]) }
        }
    }

    @Test("TL-7: an output that leaves no room for a reply")
    func large() async throws {
        let tool = LLMTool(definition: LLMToolDefinition(name: "go", description: "Goes.")) { _ in
            .string(String(repeating: "long ", count: 4000))
        }
        let script = StubScript([[.calls([StubScript.Call("go", "{}")]), .snapshot("Too long.")]])
        let result = try await script.run { try await engine.generateWithToolsPhased(request([tool])) }
        #expect(result.toolOutputs.map(\.isError) == [true])
        #expect(result.toolOutputs.first?.content.jsonString().contains("tool_output_too_large") == true)
    }

    @Test("AI-6: a model that goes on calling tools beyond the limit answers without them", arguments: [0, 1])
    func insisting(rounds: Int) async throws {
        let count = Locked(0)
        let tool = LLMTool(definition: LLMToolDefinition(name: "go", description: "Goes.")) { _ in
            count.withLock { $0 += 1 }
            return .null
        }
        let call = StubScript.Step.calls([StubScript.Call("go", "{}")])
        let script = StubScript([
            Array(repeating: call, count: rounds + 5) + [.snapshot("never")], [.snapshot("Done.")],
        ])
        let result = try await script.run {
            try await engine.generateWithToolsPhased(request([tool]) { $0.maxToolRounds = rounds })
        }
        #expect(count.withLock { $0 } == rounds)
        #expect(result.finalText == "Done.")
        #expect(result.stopReason == .maxToolRounds)
        #expect(result.roundsCompleted == rounds)
        #expect(result.toolOutputs.last?.content.jsonString().contains("max_tool_rounds") == true)
        #expect(script.requests.map(\.tools) == [["go"], []])
        #expect(script.requests.last?.transcript.count == 2 + 2 * (rounds + 1))
    }

    @Test("TL-8: choices are instructions, and a named tool is the only one")
    func choices() async throws {
        let other = LLMTool(definition: LLMToolDefinition(name: "other", description: "Other.")) { _ in .null }
        let tools = [ToolContract.calculate(), other]
        let script = StubScript.answers("a", "b", "c", "d")
        try await script.run {
            for choice in [LLMToolChoice.auto, .required, .named("other"), .none] {
                _ = try await engine.generateWithTools(request(tools) { $0.toolChoice = choice })
            }
        }
        #expect(script.requests.map(\.tools) == [["calculate", "other"], ["calculate", "other"], ["other"], []])
        let starts = script.requests.map { $0.transcript.first?.split(separator: " <").first.map(String.init) ?? "" }
        #expect(
            starts == [
                "instructions: Be exact.",
                "instructions: Be exact.\n\nCall at least one of the tools before you answer.",
                "instructions: Be exact.\n\nCall the tool other before you answer.", "instructions: Be exact.",
            ])
    }

    @Test("TL-1: requests that contradict themselves")
    func contradictions() async {
        await StubScript([]).run {
            await #expect(throws: LLMToolError.duplicateToolName("calculate")) {
                try await engine.generateWithTools(request([ToolContract.calculate(), ToolContract.calculate()]))
            }
            await #expect(throws: LLMToolError.self) {
                try await engine.generateWithTools(request([]) { $0.toolChoice = .required })
            }
            await #expect(throws: LLMToolError.self) {
                try await engine.generateWithTools(
                    request([ToolContract.calculate()]) { $0.options.stopAtBalancedJSON = true })
            }
        }
    }

    @Test("EV-4: a cancelled run cancels its tools")
    func cancelled() async {
        let started = OneShot<Void>()
        let ended = OneShot<Bool>()
        let never = OneShot<Void>()
        let tool = LLMTool(definition: LLMToolDefinition(name: "wait", description: "Waits.")) { _ in
            started.resolve(())
            defer { ended.resolve(Task.isCancelled) }
            try await Cancellable.value { await never.value() }
            return .null
        }
        let script = StubScript([[.snapshot("Wait."), .calls([StubScript.Call("wait", "{}")])]])
        let run = Task { [request = request([tool])] in
            await script.run { await ToolRunLog.of(request, on: engine) }
        }
        await started.value()
        run.cancel()
        let log = await run.value
        #expect(log.suffix(2) == ["stopped cancelled", "error CancellationError()"])
        #expect(log.contains("final: Wait."))
        #expect(await ended.value())
    }
}
