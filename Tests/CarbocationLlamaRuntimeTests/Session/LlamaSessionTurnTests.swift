import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Turns of a session", .needsRuntime, .timeLimit(.minutes(10)))
struct LlamaSessionTurnTests {
    private static let prompts = ["My name is Olekiw.", "What is my name?", "Count from 2 to 7.", "What is 2 plus 3?"]

    @Test(
        "SE-1: each prompt is answered with the earlier turns in context, as without a session",
        arguments: [true, false])
    func context(thinks: Bool) async throws {
        let session = try await SessionModels.session(system: "You are kind.")
        let options = GenerationOptions.greedy(80, thinks: thinks)
        var messages = [LLMChatMessage(role: .system, content: "You are kind.")]
        #expect(await session.transcript == messages)
        for prompt in Self.prompts {
            let result = try await session.generatePhased(prompt: prompt, options: options)
            messages.append(LLMChatMessage(role: .user, content: prompt))
            let request = LLMGenerationRequest(messages: messages, options: options)
            let alone = try await PocketModel.engine().stream(request).result()
            #expect(result.gist == alone.gist)
            messages.append(result.assistantMessage)
            #expect(await session.transcript == messages)
        }
        #expect(messages[4].content == "Your name is Olekiw.")
        #expect((messages[4].reasoningContent != nil) == thinks)
    }

    @Test("SE-3: turn 2 computes nothing of turn 1 again when its text comes again unchanged")
    func reuse() async throws {
        let session = try await SessionModels.session()
        var last: LLMGenerationResult?
        for prompt in Self.prompts {
            let result = try await session.generatePhased(prompt: prompt, options: .greedy(80, thinks: true))
            #expect(result.thinkingText.isEmpty == false)
            #expect(result.cachedPromptTokens >= (last.map { $0.promptTokens + $0.generatedTokens - 1 } ?? 0))
            last = result
        }
    }

    @Test("SE-3: where the template writes the turn differently, the common beginning is reused")
    func dropped() async throws {
        let session = try await SessionModels.session()
        let first = try await session.generatePhased(prompt: Self.prompts[0], options: .greedy())
        let second = try await session.generatePhased(prompt: Self.prompts[1], options: .greedy())
        // The empty thinking block of the first prompt is not written again.
        #expect(second.cachedPromptTokens < first.promptTokens)
        #expect(second.cachedPromptTokens > first.promptTokens - 8)
    }

    @Test(
        "SE-3: sampled tokens are kept, also where their text would be cut differently",
        arguments: SessionModels.Template.allCases)
    func sampledTokens(template: SessionModels.Template) async throws {
        let models = try SessionModels()
        let url = try models.pocket(template)
        var differed = 0
        for seed: UInt32 in 1...6 {
            let session = try await SessionModels.session(url)
            let first = try await session.generatePhased(prompt: "Hello", options: .odd(seed: seed))
            let second = try await session.generatePhased(prompt: "More", options: .odd(seed: seed, limit: 9))
            let third = try await session.generatePhased(prompt: "And more", options: .greedy(9))
            #expect(second.cachedPromptTokens >= first.promptTokens + first.generatedTokens - 1)
            #expect(third.cachedPromptTokens >= second.promptTokens + second.generatedTokens - 1)
            let engine = try await SessionModels.engine(url)
            let alone = try await engine.stream(LLMGenerationRequest(prompt: "Hello", options: .odd(seed: seed)))
                .result()
            #expect(alone.gist == first.gist)
            let request = LLMGenerationRequest(
                messages: Array(await session.transcript.prefix(3)), options: .odd(seed: seed, limit: 9))
            let cut = try await engine.stream(request).result()
            if cut.cachedPromptTokens < first.promptTokens + first.generatedTokens - 1 { differed += 1 }
        }
        #expect(differed > 3)
    }

    @Test("SE-3: a reply that a stop sequence ended is kept up to the sequence")
    func stopSequence() async throws {
        let models = try SessionModels()
        let session = try await SessionModels.session(try models.pocket(.control))
        var options = GenerationOptions.greedy()
        options.grammar = #"root ::= "one two three four five xyz more words""#
        options.stopSequences = ["xyz"]
        let first = try await session.generatePhased(prompt: "Hello", options: options)
        #expect(first.stopReason == .stopSequence && first.finalText == "one two three four five ")
        let second = try await session.generatePhased(prompt: "Count from 2 to 7.", options: .greedy())
        #expect(second.cachedPromptTokens >= first.promptTokens + first.generatedTokens - 4)
        #expect(await session.transcript.count == 4)
    }

    @Test("SE-2, SE-4: a prompt that does not fit is refused, and nothing changes")
    func tooLong() async throws {
        let session = try await SessionModels.session(context: 512)
        let first = try await session.generatePhased(prompt: Self.prompts[0], options: .greedy(thinks: true))
        let transcript = await session.transcript
        let short = try await session.preflight(prompt: "Hi", options: .greedy())
        let alone = try await PocketModel.engine(context: 512).preflight(system: "", prompt: "Hi", options: .greedy())
        #expect(short.canGenerate)
        #expect(short.promptTokens > alone.promptTokens + first.generatedTokens)
        let long = String(repeating: "word ", count: 600)
        #expect(try await session.preflight(prompt: long).canGenerate == false)
        await #expect(throws: LLMEngineError.self) { try await session.generatePhased(prompt: long) }
        await #expect(throws: LLMEngineError.self) {
            try await session.generatePhased(prompt: "Hi", options: GenerationOptions(grammar: "root ::= ("))
        }
        #expect(await session.transcript == transcript)
        let next = try await session.generatePhased(prompt: Self.prompts[1], options: .greedy(thinks: true))
        #expect(next.cachedPromptTokens >= first.promptTokens + first.generatedTokens - 1)
        #expect(next.finalText == "Your name is Olekiw.")
    }

    @Test(
        "SE-2: a cancelled turn leaves no trace, and the cache before it stays valid", arguments: RandomModel.allCases)
    func cancelled(model: RandomModel) async throws {
        let models = try SessionModels()
        let url = try models.random(model)
        let session = try await SessionModels.session(url, context: 512)
        let undisturbed = try await SessionModels.session(url, context: 512)
        var options = GenerationOptions.greedy(30)
        options.grammar = "root ::= [A-Z]+"
        for prompt in ["ABCDEFGH", "XYZ", "DEFDEF"] {
            try await SessionModels.cancelTurn(of: session, options: options)
            let result = try await session.generatePhased(prompt: prompt, options: options)
            let expected = try await undisturbed.generatePhased(prompt: prompt, options: options)
            #expect(result.gist == expected.gist)
            #expect(await session.transcript == (await undisturbed.transcript))
        }
    }

    @Test("SE-2: the transcript has the turn before its reader hears of the end")
    func committed() async throws {
        let session = try await SessionModels.session()
        var isOver = false
        for try await event in session.stream(prompt: "Count from 2 to 7.", options: .greedy()) {
            if case .generationStats = event { isOver = true }
            if case .done = event { #expect(await session.transcript.count == 2) }
            if case .completed(let result) = event {
                #expect(await session.transcript.last == result.assistantMessage)
            }
        }
        #expect(isOver)
    }

    @Test("TL-1: a turn of several replies and messages enters the transcript as a whole, or not at all")
    func severalReplies() async throws {
        let session = try await SessionModels.session()
        let call = LLMToolCall(
            executionID: "call_1", name: "calculate", arguments: ["operation": "add", "operands": [17, 25]])
        let output = LLMToolOutput(callID: "call_1", name: "calculate", content: ["ok": true, "result": 42])
        let text = try await session.turn(prompt: "What is 17 plus 25?") { turn in
            await turn.append(LLMChatMessage(role: .assistant, content: "", toolCalls: [call]))
            await turn.append(.tool(output))
            let result = Locked<LLMGenerationResult?>(nil)
            let reply = try await turn.reply(options: .greedy()) { event in
                if case .completed(let completed) = event { result.withLock { $0 = completed } }
            }
            #expect(reply.calls.isEmpty)
            let message = try #require(result.withLock { $0?.assistantMessage })
            await turn.append(message)
            return message.content
        }
        #expect(text == "The result is 42.")
        let transcript = await session.transcript
        #expect(transcript.map(\.role) == [.user, .assistant, .tool, .assistant])
        await #expect(throws: CancellationError.self) {
            try await session.turn(prompt: "More") { turn in
                await turn.append(LLMChatMessage(role: .assistant, content: "x"))
                throw CancellationError()
            }
        }
        #expect(await session.transcript == transcript)
    }
}
