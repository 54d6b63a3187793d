import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Runs with tools on a model", .needsRuntime, .timeLimit(.minutes(10)))
struct LlamaEngineToolLoopTests {
    @Test("TL-1…TL-11: the contract of all engines", arguments: ToolContract.all)
    func contract(_ contract: ToolContract) async throws {
        let engine = try await PocketModel.engine()
        #expect(await ToolRunLog.of(contract.request, on: engine) == contract.log)
    }

    @Test("PC-1: a reply behind outputs only computes what is new")
    func reuse() async throws {
        let engine = try await PocketModel.engine()
        var results: [LLMGenerationResult] = []
        // Without thinking the template writes an earlier turn otherwise than it was generated.
        let options = GenerationOptions(temperature: 0, maxOutputTokens: 160, enableThinking: true)
        let request = LLMToolGenerationRequest(
            prompt: "What is 17 plus 25?", options: options, tools: [ToolContract.calculate()])
        _ = await ToolRunLog.of(request, on: engine) { event in
            if case .generationEvent(.completed(let result)) = event { results.append(result) }
        }
        try #require(results.count == 2)
        #expect(results[0].cachedPromptTokens == 0)
        #expect(results[1].cachedPromptTokens >= results[0].promptTokens + results[0].generatedTokens - 1)
    }

    @Test("TL-13: an unload waits for the run, and a request to end the thinking is taken while a tool runs")
    func duringTool() async throws {
        let engine = try await PocketModel.engine()
        let control = LLMGenerationControl()
        let accepted = Locked(false)
        let tool = ToolContract.calculate { arguments in
            await engine.unload()
            accepted.withLock { $0 = control.requestThinkingTermination(message: "Enough.") }
            await #expect(throws: LLMEngineError.noModelLoaded) {
                try await engine.generate(system: "", prompt: "Hello") { _ in }
            }
            return ["ok": true, "result": 42]
        }
        let request = LLMToolGenerationRequest(
            prompt: "What is 17 plus 25?",
            options: GenerationOptions(temperature: 0, maxOutputTokens: 160, enableThinking: true), tools: [tool])
        let result = try await engine.generateWithToolsPhased(request, control: control)
        #expect(result.finalText == "The result is 42.")
        // It counts for the thinking that follows.
        #expect(result.thinkingText == "Use calculate: add 17, 25.\nEnough.")
        #expect(accepted.withLock { $0 })
        #expect(!control.requestThinkingTermination())
        #expect(await engine.currentLoadedModelInfo() == nil)
    }

    @Test("TL-11: the thinking budget counts for the whole run")
    func thinkingBudget() async throws {
        let engine = try await PocketModel.engine()
        func thinking(_ budget: Int?) async throws -> String {
            let request = LLMToolGenerationRequest(
                prompt: "What is 17 plus 25?",
                options: GenerationOptions(
                    temperature: 0, maxOutputTokens: 160, enableThinking: true, thinkingBudgetTokens: budget),
                tools: [ToolContract.calculate()])
            return try await engine.generateWithToolsPhased(request).thinkingText
        }
        let whole = try await thinking(nil)
        #expect(whole == "Use calculate: add 17, 25.\nThe tool is done.")
        #expect(try await thinking(1000) == whole)
        #expect(try await thinking(0).isEmpty)
        // Two tokens are left for the second reply, which would think longer.
        let first = LLMToolGenerationRequest(
            prompt: "What is 17 plus 25?",
            options: GenerationOptions(temperature: 0, maxOutputTokens: 160, enableThinking: true),
            tools: [ToolContract.calculate()])
        let used = try await engine.reply(to: first.plain(control: nil), tools: first.checkedOffer()) { _ in }
        let short = try await thinking(used.thinkingTokens + 2)
        #expect(
            short.hasPrefix("Use calculate: add 17, 25.\nT") && whole.hasPrefix(short) && short != whole, "\(short)")
    }

    @Test("TL-7: an output that leaves no room for a reply is replaced", arguments: [10, 4000])
    func largeOutput(length: Int) async throws {
        let engine = try await PocketModel.engine()
        let tool = ToolContract.calculate { _ in
            ["ok": true, "result": 42, "more": .string(String(repeating: "x1", count: length))]
        }
        let request = LLMToolGenerationRequest(
            prompt: "What is 17 plus 25?", options: GenerationOptions(temperature: 0, maxOutputTokens: 40),
            tools: [tool])
        let result = try await engine.generateWithTools(request)
        #expect(result.toolOutputs.map(\.isError) == [length > 1000])
        let code = result.toolOutputs.first?.content.value(forKey: "error")?.string(forKey: "code")
        #expect(code == (length > 1000 ? "tool_output_too_large" : nil))
    }

    @Test("TL-12: a run that ends within a call has its text, and nothing runs")
    func cutOff() async throws {
        let engine = try await PocketModel.engine()
        let ran = Locked(false)
        let tool = ToolContract.calculate { _ in
            ran.withLock { $0 = true }
            return .null
        }
        let request = LLMToolGenerationRequest(
            prompt: "What is 17 plus 25?", options: GenerationOptions(temperature: 0, maxOutputTokens: 12),
            tools: [tool])
        let diagnostics = Locked<[String]>([])
        let result = try await engine.generateWithToolsPhased(request) { event in
            if case .generationEvent(.diagnostic(let message)) = event { diagnostics.withLock { $0.append(message) } }
        }
        #expect(result.incompleteToolCall?.hasPrefix("<tool_call>") == true)
        #expect(result.finalText.isEmpty && result.toolCalls.isEmpty && result.stopReason == .maxTokens)
        #expect(diagnostics.withLock { $0.count } == 1)
        #expect(!ran.withLock { $0 })
    }

    @Test("TL-10: without tools in the prompt calls are hidden all the same")
    func withheld() async throws {
        let engine = try await PocketModel.engine()
        // The conversation itself shows the model how to call.
        let told = LLMToolGenerationRequest(prompt: "What is 17 plus 25?", tools: [ToolContract.calculate()])
        let offer = try #require(try told.checkedOffer()).withheld
        var request = told.plain(control: nil)
        request.options = GenerationOptions(temperature: 0, maxOutputTokens: 80)
        request.messages.insert(LLMChatMessage(role: .system, content: Self.toldAsText), at: 0)
        let texts = Locked("")
        let reply = try await engine.reply(to: request, tools: offer) { event in
            if case .contentDelta(_, let text, _) = event { texts.withLock { $0 += text } }
        }
        #expect(reply.calls.count == 1)
        #expect(texts.withLock { $0 }.isEmpty)
    }

    private static let toldAsText = """
        You can call these tools:
        <tools>
        {"name": "calculate", "description": "Do arithmetic.", "parameters": {"type": "object", "properties": \
        {"operation": {"type": "string", "enum": ["add", "subtract", "multiply", "divide", "power"]}, "operands": \
        {"type": "array", "items": {"type": "number"}}}, "required": ["operation", "operands"]}}
        </tools>
        Call a tool like this:
        <tool_call>
        {"name": "tool", "arguments": {}}
        </tool_call>
        """

    @Test(
        "turns with and without calls follow each other, and what was said before is remembered",
        arguments: [true, false])
    func turns(thinks: Bool) async throws {
        let engine = try await PocketModel.engine()
        let options = GenerationOptions(temperature: 0, maxOutputTokens: 160, enableThinking: thinks)
        var messages: [LLMChatMessage] = []
        var answers: [String] = []
        for prompt in ["My name is Ada.", "What is 17 plus 25?", "What is my name?"] {
            messages.append(LLMChatMessage(role: .user, content: prompt))
            let request = LLMToolGenerationRequest(
                messages: messages, options: options, tools: [ToolContract.calculate()])
            let result = try await engine.generateWithToolsPhased(request)
            messages.append(result.generation.assistantMessage)
            answers.append(result.finalText)
        }
        #expect(answers == ["Nice to meet you, Ada.", "The result is 42.", "Your name is Ada."])
    }

    @Test("EV-3: dropping the stream while a tool runs cancels the tool and ends the run")
    func dropped() async throws {
        let engine = try await PocketModel.engine()
        let started = OneShot<Void>()
        let cancelled = OneShot<Void>()
        let tool = ToolContract.calculate { _ in
            await withTaskCancellationHandler {
                started.resolve(())
                await cancelled.value()
            } onCancel: {
                cancelled.resolve(())
            }
            return .null
        }
        let request = LLMToolGenerationRequest(
            prompt: "What is 17 plus 25?", options: GenerationOptions(temperature: 0, maxOutputTokens: 160),
            tools: [tool])
        for try await event in engine.streamWithTools(request, control: nil) {
            guard case .toolCallStarted = event else { continue }
            await started.value()
            break
        }
        await cancelled.value()
        // The engine is free for the next one.
        #expect(
            try await engine.generate(system: "", prompt: "What is your name?", options: request.options) { _ in }
                == "I am Pocket.")
    }
}
