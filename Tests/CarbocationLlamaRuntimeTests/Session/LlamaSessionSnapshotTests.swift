import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Saved sessions", .needsRuntime, .timeLimit(.minutes(10)))
struct LlamaSessionSnapshotTests {
    private static let letters: GenerationOptions = {
        var options = GenerationOptions.greedy(20)
        options.grammar = "root ::= [A-Z]+"
        return options
    }()

    @Test(
        "SE-7: a restored session goes on token for token, whatever memory the model has",
        arguments: RandomModel.allCases)
    func everyMemory(model: RandomModel) async throws {
        let models = try SessionModels()
        let url = try models.random(model)
        let session = try await SessionModels.session(url, system: "QRS", context: 512)
        for (index, prompt) in ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "XY", "ABC"].enumerated() {
            _ = try await session.generatePhased(prompt: prompt, options: Self.letters)
            let file = models.file("\(index).session")
            try await session.save(to: file)
            let restored = try await SessionModels.restored(file, model: url)
            #expect(await restored.transcript == (await session.transcript))
            let fork = try await session.fork()
            for prompt in ["Z", "LMN"] {
                let result = try await restored.generatePhased(prompt: prompt, options: Self.letters)
                let expected = try await fork.generatePhased(prompt: prompt, options: Self.letters)
                #expect(result.gist == expected.gist)
                #expect(result.cachedPromptTokens == expected.cachedPromptTokens)
                #expect(result.cachedPromptTokens > 0)
            }
        }
    }

    @Test("SE-7: the file is enough: greedy and seeded turns go on as without the restart")
    func restart() async throws {
        let models = try SessionModels()
        let url = try models.pocket(.control)
        let file = models.file("talk.session")
        for options in [GenerationOptions.greedy(30), .odd(seed: 7)] {
            let session = try await SessionModels.session(url, system: "You are kind.")
            let first = try await session.generatePhased(prompt: "My name is Olekiw.", options: options)
            try await session.save(to: file)
            let expected = try await session.generatePhased(prompt: "What is my name?", options: options)
            await session.unload()
            let moved = models.file("moved.gguf")
            try FileManager.default.moveItem(at: url, to: moved)
            let restored = try await SessionModels.restored(file, model: moved)
            let result = try await restored.generatePhased(prompt: "What is my name?", options: options)
            #expect(result.gist == expected.gist)
            #expect(result.cachedPromptTokens == expected.cachedPromptTokens)
            // Without the grammar the model thinks, which this template does not write again.
            let kept = options.grammar == nil ? 1 : first.promptTokens + first.generatedTokens - 1
            #expect(result.cachedPromptTokens >= kept)
            await restored.reset()
            #expect(await restored.transcript.map(\.content) == ["You are kind."])
            await restored.unload()
            try FileManager.default.moveItem(at: moved, to: url)
        }
    }

    @Test("SE-7: a session in which nobody spoke, and one after a failed turn, can be saved")
    func early() async throws {
        let models = try SessionModels()
        let file = models.file("talk.session")
        let session = try await SessionModels.session(context: 600)
        try await session.save(to: file)
        #expect(try await SessionModels.restored(file).transcript.isEmpty)
        try await SessionModels.cancelTurn(of: session, options: .endless)
        try await session.save(to: file)
        let restored = try await SessionModels.restored(file)
        #expect(await restored.transcript.isEmpty)
        #expect(await restored.currentLoadedModelInfo()?.contextSize == 600)
        let result = try await restored.generatePhased(prompt: "Count from 2 to 7.", options: .greedy())
        #expect(result.finalText == "2 3 4 5 6 7")
    }

    @Test("SE-7: another or missing model is a mismatch with a reason")
    func mismatch() async throws {
        let models = try SessionModels()
        let file = models.file("talk.session")
        let session = try await SessionModels.session()
        _ = try await session.generatePhased(prompt: "Hi", options: .greedy())
        try await session.save(to: file)
        let other = try models.pocket(.control)
        let cut = models.file("cut.gguf")
        try Data(contentsOf: PocketModel.url).dropLast(64).write(to: cut)
        // The last weights of the file.
        let changed = models.file("changed.gguf")
        var bytes = try Data(contentsOf: PocketModel.url)
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: changed)
        for model in [nil, other, cut, changed, models.file("missing.gguf"), file] {
            await #expect { try await SessionModels.restored(file, model: model) } throws: { error in
                guard case LLMSessionError.modelMismatch(let reason) = error else { return false }
                return reason.contains("pocket-toolbot.gguf") && error.localizedDescription.contains(reason)
                    && reason.contains("Install ")
            }
        }
        let copy = models.file("copy.gguf")
        try FileManager.default.copyItem(at: PocketModel.url, to: copy)
        let restored = try await SessionModels.restored(file, model: copy)
        #expect(await restored.transcript == (await session.transcript))
    }

    @Test("SE-7: what the cache held is dropped when it is of other settings or another build, or is refused")
    func dropped() async throws {
        let models = try SessionModels()
        let file = models.file("talk.session")
        let session = try await SessionModels.session()
        _ = try await session.generatePhased(prompt: "My name is Olekiw.", options: .greedy(thinks: true))
        try await session.save(to: file)
        let good = try SnapshotFile().read(file.path, signal: CancellationSignal())
        let prompt = "What is my name?"
        let options = GenerationOptions.greedy(thinks: true)
        let expected = try await session.generatePhased(prompt: prompt, options: options)
        let restored = try await SessionModels.restored(file)
        #expect(try await restored.generatePhased(prompt: prompt, options: options).cachedPromptTokens > 0)
        let other = try await SessionModels.restored(file) { $0.flashAttention = .disabled }
        let state = try #require(good.state)
        var results = [try await other.generatePhased(prompt: prompt, options: options)]
        let refused: [[UInt8]] = [
            [], [1], Array(state.bytes.dropLast()), state.bytes + [0], Array(state.bytes.reversed()),
        ]
        for bytes in refused {
            var changed = good
            changed.state = SequenceState(tokens: state.tokens, promptCount: 1, bytes: bytes)
            try SnapshotFile().write(changed, to: file.path, signal: CancellationSignal())
            results.append(try await SessionModels.restored(file).generatePhased(prompt: prompt, options: options))
        }
        for change in [{ (cache: inout CacheIdentity) in cache.build = "another" }, { $0.kvTypeV = .bf16 }] {
            var changed = good
            change(&changed.cacheIdentity)
            try SnapshotFile().write(changed, to: file.path, signal: CancellationSignal())
            results.append(try await SessionModels.restored(file).generatePhased(prompt: prompt, options: options))
        }
        for result in results {
            #expect(result.gist == expected.gist)
            #expect(result.cachedPromptTokens == 0)
        }
    }

    @Test("SE-7: why a saved cache is not used is known")
    func obstacle() async throws {
        let loaded = try await SessionOrigin.load(
            LlamaModelDescriptor(url: PocketModel.url), requestedContext: 512,
            configuration: SessionModels.configuration(), system: "")
        let identity = loaded.origin.cacheIdentity
        let nonsense = SequenceState(tokens: [1], promptCount: 1, bytes: [1])
        #expect(await loaded.take(nonsense, of: identity) == "llama.cpp refused it")
        #expect(await loaded.take(nil, of: identity) == nil)
        #expect(identity.obstacle(toCacheOf: identity) == nil)
        var other = identity
        other.kvTypeK = .q8_0
        #expect(identity.obstacle(toCacheOf: other) == "it was made with other settings")
        other.build = "another"
        #expect(identity.obstacle(toCacheOf: other) == "another build of llama.cpp made it")
        #expect(await loaded.take(nonsense, of: other) == "another build of llama.cpp made it")
    }

    @Test("SE-7: a damaged file is told by its own error before any model is asked for")
    func damaged() async throws {
        let models = try SessionModels()
        let file = models.file("talk.session")
        let session = try await SessionModels.session()
        _ = try await session.generatePhased(prompt: "Hi", options: .greedy())
        try await session.save(to: file)
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count / 2] ^= 4
        try bytes.write(to: file)
        await #expect(
            performing: {
                _ = try await LlamaSession(restoring: file) { _ in
                    Issue.record("the model was asked for")
                    return nil
                }
            }, throws: isDamage)
        await #expect(throws: FileFailure.self) { try await SessionModels.restored(models.file("missing")) }
    }

    @Test("SE-7: a save that fails leaves the old file and the session as they were")
    func failing() async throws {
        let models = try SessionModels()
        let file = models.file("talk.session")
        let session = try await SessionModels.session(context: 512)
        _ = try await session.generatePhased(prompt: "My name is Olekiw.", options: .greedy())
        try await session.save(to: file)
        _ = try await session.generatePhased(prompt: "Hello", options: .greedy())
        await #expect(throws: FileFailure.self) {
            try await session.save(to: file, in: SnapshotFile(calls: FailingFileCalls(.rename)))
        }
        await #expect(throws: FileFailure.self) { try await session.save(to: models.file("no/folder/x")) }
        await #expect(throws: FileFailure.self) { try await session.save(to: models.folder) }
        #expect(try await SessionModels.restored(file).transcript.count == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: models.folder.path) == ["talk.session"])
        let name = try await session.generatePhased(prompt: "What is my name?", options: .greedy())
        #expect(name.finalText == "Your name is Olekiw.")
    }
}
