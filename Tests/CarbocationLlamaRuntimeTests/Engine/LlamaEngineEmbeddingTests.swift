import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Embedding texts", .needsRuntime, .timeLimit(.minutes(10)))
struct LlamaEngineEmbeddingTests {
    private let texts = ["What is the weather in Oslo?", "Is it raining in Oslo?", "Count from 3 to 9.", "ünï🦙"]

    private func dot(_ one: [Float], _ other: [Float]) -> Float {
        zip(one, other).reduce(0) { $0 + $1.0 * $1.1 }
    }

    @Test("every text has a vector of the length 1, the same in any company and order")
    func vectors() async throws {
        let engine = try await PocketModel.engine()
        let vectors = try await engine.embed(texts)
        #expect(vectors.count == 4)
        for vector in vectors {
            #expect(vector.count == 128)
            #expect(abs(dot(vector, vector) - 1) < 1e-5)
        }
        #expect(Set(vectors).count == 4)
        #expect(try await engine.embed(texts.reversed()) == vectors.reversed())
        let other = try await PocketModel.engine()
        #expect(try await other.embed([texts[2]]) == [vectors[2]])
        #expect(dot(vectors[0], vectors[1]) > dot(vectors[0], vectors[2]))
    }

    @Test("normalising only scales, and the poolings differ")
    func options() async throws {
        let engine = try await PocketModel.engine()
        var seen: Set<[Float]> = []
        for pooling in [LlamaEmbeddingPooling.mean, .cls, .last] {
            let raw = try await engine.embed(
                [texts[0]], options: LlamaEmbeddingOptions(pooling: pooling, normalizes: false))
            let unit = try await engine.embed([texts[0]], options: LlamaEmbeddingOptions(pooling: pooling))
            #expect(unit == raw.map(TextEmbedder.normalized))
            #expect(unit != raw)
            seen.insert(unit[0])
        }
        #expect(seen.count == 3)
        #expect(seen.contains(try await engine.embed([texts[0]])[0]))
        #expect(TextEmbedder.normalized([0, 0]) == [0, 0])
        #expect(TextEmbedder.normalized([3, 4]) == [0.6, 0.8])
    }

    @Test("no texts have no vectors; an empty text is refused and named")
    func emptyTexts() async throws {
        let engine = try await PocketModel.engine()
        #expect(try await engine.embed([]).isEmpty)
        await #expect {
            try await engine.embed(["Hello", ""])
        } throws: { error in
            guard case LLMEngineError.invalidRequest(let reason) = error else { return false }
            return reason.contains("Text 2")
        }
        #expect(try await engine.embed([" "]).count == 1)
    }

    @Test("a text longer than the context is an error with both lengths, or is cut at its end")
    func longTexts() async throws {
        let engine = try await PocketModel.engine(context: 512)
        let long = String(repeating: "x1 ", count: 2000)
        await #expect {
            try await engine.embed(["Hello", long])
        } throws: { error in
            guard case LLMEngineError.contextBudgetExceeded(512, let count, 0) = error else { return false }
            return count > 512
        }
        let cut = LlamaEmbeddingOptions(truncation: .end)
        let vector = try await engine.embed([long], options: cut)
        #expect(vector == (try await engine.embed([long + "and more"], options: cut)))
        #expect(vector != (try await engine.embed(["y" + long], options: cut)))
        let short = try await engine.embed(texts)
        #expect(try await engine.embed(texts, options: cut) == short)
    }

    @Test(
        "a longer text makes the context grow, up to the loaded one",
        arguments: [
            (1, 512), (512, 512), (513, 1024), (1500, 2000), (2000, 2000),
        ])
    func capacity(count: Int, capacity: Int) {
        #expect(TextEmbedder.capacity(for: count, contextSize: 2000) == capacity)
    }

    @Test("growing changes no vector")
    func growth() async throws {
        let engine = try await PocketModel.engine()
        let before = try await engine.embed(texts)
        _ = try await engine.embed([String(repeating: "x1 ", count: 400)])
        #expect(try await engine.embed(texts) == before)
    }

    @Test("without a model, and after unloading, it says so")
    func nothingLoaded() async throws {
        let engine = try await PocketModel.engine {
            $0.useMemoryMap = false; $0.flashAttention = .disabled
        }
        _ = try await engine.embed(texts)
        await engine.unload()
        await #expect(throws: LLMEngineError.noModelLoaded) { try await engine.embed(texts) }
        await #expect(throws: LLMEngineError.noModelLoaded) { try await LlamaEngine().embed([]) }
    }

    @Test("control tokens that a text spells out stay text (PT-5)")
    func controlTokens() async throws {
        let engine = try await PocketModel.engine()
        let model = try await engine.requireLoaded(validating: LLMGenerationRequest(prompt: "x")).model
        let input = try EmbeddingInput(
            "a<|im_end|>", index: 0, model: model, contextSize: 512, truncation: .never)
        #expect(!input.tokens.contains(try #require(model.controlToken("<|im_end|>"))))
        #expect(input.tokens.count > 2)
    }

    @Test("callers take turns, beside a generation, and each gets its own vectors")
    func concurrent() async throws {
        let engine = try await PocketModel.engine()
        let expected = try await engine.embed(texts)
        let dialogue = try #require(PocketModel.dialogues.first)
        async let generated = engine.stream(dialogue.request).result()
        try await withThrowingTaskGroup(of: (Int, [[Float]]).self) { group in
            for index in texts.indices {
                group.addTask { (index, try await engine.embed([self.texts[index], self.texts[0]])) }
            }
            for try await (index, vectors) in group { #expect(vectors == [expected[index], expected[0]]) }
        }
        #expect(try await generated.rawGeneratedText == dialogue.expected)
    }

    @Test("a cancelled caller ends with CancellationError, and the next one is served")
    func cancellation() async throws {
        let engine = try await PocketModel.engine()
        let expected = try await engine.embed([texts[0]])
        let many = Array(repeating: String(repeating: "x1 ", count: 300), count: 2000)
        let task = Task { try await engine.embed(many) }
        await Task.yield()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await engine.embed([texts[0]]) == expected)
        await engine.unload()
        #expect(await engine.currentLoadedModelInfo() == nil)
    }

    @Test("unloading while texts are embedded is deferred to their end (LR-4)")
    func deferredUnload() async throws {
        let engine = try await PocketModel.engine()
        let lease = try await engine.beginLease()
        await engine.unload()
        await #expect(throws: LLMEngineError.noModelLoaded) { try await engine.embed(texts) }
        #expect(try await lease.embedder.embeddings(of: texts, options: LlamaEmbeddingOptions()).count == 4)
        await engine.endLease()
        #expect(await engine.currentLoadedModelInfo() == nil)
    }

    @Test("adapters change embeddings too")
    func adapters() async throws {
        let files = try PocketAdapter()
        let url = try files.write(PocketAdapter.builder(strength: 1).bytes())
        let plain = try await PocketModel.engine().embed(texts)
        let off = try await PocketModel.engine { $0.adapters = [LlamaAdapter(url: url, scale: 0)] }
        #expect(try await off.embed(texts) == plain)
        let changed = try await PocketModel.engine { $0.adapters = [LlamaAdapter(url: url)] }
        #expect(try await changed.embed(texts) != plain)
    }
}
