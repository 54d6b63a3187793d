import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Generating with a model", .needsRuntime, .timeLimit(.minutes(10)))
struct LlamaEngineGenerationTests {
    @Test("greedy text equals what llama.cpp's server gives for the same dialogue")
    func greedy() async throws {
        let engine = try await PocketModel.engine()
        #expect(PocketModel.dialogues.count >= 20)
        for dialogue in PocketModel.dialogues {
            let result = try await engine.stream(dialogue.request).result()
            #expect(result.rawGeneratedText == dialogue.expected, "\(dialogue.id)")
            #expect(result.stopReason == .complete)
            #expect(result.templateMode == .embedded)
            #expect(result.seed == nil)
        }
    }

    @Test("PC-5: dialogues side by side give the text of lone runs, twice in a row (X04)", arguments: [2, 4])
    func concurrent(sequences: Int) async throws {
        let engine = try await PocketModel.engine { $0.maximumConcurrentSequences = sequences }
        let dialogues = PocketModel.dialogues.prefix(6)
        for _ in 0..<2 {
            try await withThrowingTaskGroup(of: (String, String, String?).self) { group in
                for dialogue in dialogues {
                    group.addTask {
                        let result = try await engine.stream(dialogue.request).result()
                        return (dialogue.id, dialogue.expected, result.rawGeneratedText)
                    }
                }
                for try await (id, expected, text) in group { #expect(text == expected, "\(id)") }
            }
        }
    }

    @Test("a prompt longer than the micro-batch is computed in chunks and gives the same text")
    func smallBatches() async throws {
        let dialogue = try #require(PocketModel.dialogues.first)
        for limit in [1, 7, 64] {
            let engine = try await PocketModel.engine { $0.batchSizeLimit = limit }
            let result = try await engine.stream(dialogue.request).result()
            #expect(result.rawGeneratedText == dialogue.expected)
        }
    }

    @Test("all forms give the same text, and events come in the documented order (EV-1, EV-7)")
    func forms() async throws {
        let engine = try await PocketModel.engine()
        let options = GenerationOptions(temperature: 0, maxOutputTokens: 64)
        let prompt = "Count from 3 to 9."
        let names = Locked<[String]>([])
        let text = try await engine.generate(system: "", prompt: prompt, options: options) { event in
            names.withLock { $0.append(String(String(describing: event).prefix { $0 != "(" })) }
        }
        #expect(text == "3 4 5 6 7 8 9")
        #expect(try await engine.generatePhased(system: "", prompt: prompt, options: options).finalText == text)
        let order = names.withLock { $0 }
        #expect(order.first == "requestSent")
        #expect(order.dropFirst().first == "firstByteReceived")
        #expect(order.suffix(2) == ["generationStats", "done"])
        #expect(Set(order.dropFirst(2).dropLast(2)) == ["tokenChunk"])
    }

    @Test("maxOutputTokens ends with `max-tokens` after exactly that many tokens", arguments: [1, 5])
    func limit(tokens: Int) async throws {
        let engine = try await PocketModel.engine()
        let result = try await engine.stream(
            LLMGenerationRequest(
                prompt: "Tell me a story.", options: GenerationOptions(temperature: 0, maxOutputTokens: tokens))
        ).result()
        #expect(result.stopReason == .maxTokens)
        #expect(result.generatedTokens == tokens)
    }

    @Test("a stop sequence ends the text before it (S04)")
    func stopSequence() async throws {
        let engine = try await PocketModel.engine()
        var options = GenerationOptions(temperature: 0, maxOutputTokens: 64)
        options.stopSequences = ["", " 6 7"]
        let result = try await engine.stream(
            LLMGenerationRequest(prompt: "Count from 3 to 9.", options: options)
        ).result()
        #expect(result.finalText == "3 4 5")
        #expect(result.stopReason == .stopSequence)
    }

    @Test("M04: a drawn seed is reported, differs between runs, and repeats the run")
    func seeds() async throws {
        let engine = try await PocketModel.engine()
        var options = GenerationOptions(temperature: 1.8, maxOutputTokens: 24)
        let request = { LLMGenerationRequest(prompt: "Tell me a story.", options: options) }
        let first = try await engine.stream(request()).result()
        let second = try await engine.stream(request()).result()
        #expect(first.seed != second.seed)
        options.seed = first.seed
        let again = try await engine.stream(request()).result()
        #expect(again.rawGeneratedText == first.rawGeneratedText)
        #expect(again.seed == first.seed)
    }

    @Test("a grammar holds, and a broken one is refused before decoding (PF-4)")
    func grammar() async throws {
        let engine = try await PocketModel.engine()
        let options = GenerationOptions(temperature: 0, maxOutputTokens: 16).with(grammar: #"root ::= "yes" | "no""#)
        let result = try await engine.stream(LLMGenerationRequest(prompt: "Hello", options: options)).result()
        #expect(["yes", "no"].contains(result.finalText))
        let broken = LLMGenerationRequest(prompt: "Hello", options: options.with(grammar: "root ::= ("))
        await #expect { try await engine.preflight(broken) } throws: { error in
            if case LLMEngineError.grammarParseFailed = error { true } else { false }
        }
    }
}
