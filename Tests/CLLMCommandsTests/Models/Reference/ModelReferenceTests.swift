import Foundation
import TestSupport
import Testing

@testable import CLLMCommands

@Suite struct ModelReferenceTests {
    private let folder = ModelsFolder()

    /// The file that a command loads.
    private func loaded(_ arguments: String..., variables: [String: String] = [:]) async throws -> String? {
        var session = folder.session()
        session.variables = variables
        try #require(await session.run(["run", "hi"] + arguments) == 0, "\(session.errors.text)")
        return session.runtime.log.loads.first?.source.url?.path
    }

    private func refusal(_ arguments: String..., variables: [String: String] = [:]) async -> String {
        var session = folder.session()
        session.variables = variables
        #expect(await session.run(["run", "hi"] + arguments) == 1)
        #expect(session.runtime.log.loads.isEmpty)
        #expect(session.errors.lines.count == 1)
        return session.errors.text
    }

    private func weights(_ id: String, _ name: String = "small-Q4_0") -> String {
        folder.root.appendingPathComponent(id).appendingPathComponent("\(name).gguf").path
    }

    @Test("takes a path, an id, a prefix and a name, else CLLM_MODEL, which may be any of them")
    func named() async throws {
        let given = try TemporaryFile.model()
        let id = try await folder.install()
        try await folder.install("other")
        #expect(try await loaded("--model", given.path) == given.path)
        #expect(try await loaded("--model", id) == weights(id))
        #expect(try await loaded("--model", String(id.prefix(8)).lowercased()) == weights(id))
        #expect(try await loaded("--model", "small-Q4_0") == weights(id))
        #expect(try await loaded(variables: ["CLLM_MODEL": "small-Q4_0"]) == weights(id))
        #expect(try await loaded("--model", given.path, variables: ["CLLM_MODEL": id]) == given.path)
    }

    @Test("takes the Hub reference of an installed model")
    func hubReference() async throws {
        let id = try await folder.install("owner/repo-GGUF", "repo-Q4_K_M.gguf")
        try await folder.install()
        #expect(try await loaded("--model", "owner/repo-GGUF:Q4_K_M") == weights(id, "repo-Q4_K_M"))
    }

    @Test("without a name, the selection counts, then the only installed model")
    func defaults() async throws {
        let first = try await folder.install()
        #expect(try await loaded() == weights(first))
        let second = try await folder.install("other")
        let several = await refusal()
        #expect(several.hasPrefix("cllm: No model is given: 2 are installed"))
        try await folder.succeed("models", "select", second)
        #expect(try await loaded() == weights(second, "other"))
        #expect(try await loaded(variables: ["CLLM_MODEL": first]) == weights(first))
        try await folder.succeed("models", "select", first)
        #expect(try await loaded(variables: ["CLLM_MODEL": ""]) == weights(first))
    }

    @Test("no model at all says how to get one")
    func none() async {
        let message = await refusal()
        #expect(message.hasPrefix("cllm: No model is given: name a .gguf file, set CLLM_MODEL"))
        #expect(message.contains("cllm models pull"))
    }

    @Test("a selected model that has gone is not replaced in silence")
    func staleSelection() async throws {
        let gone = try await folder.install()
        try await folder.install("other")
        try await folder.succeed("models", "select", gone)
        try FileManager.default.removeItem(at: folder.root.appendingPathComponent(gone))
        let message = await refusal()
        #expect(message.hasPrefix("cllm: The selected model \(gone) is not among the installed ones. Select another"))
    }

    @Test("unknown names and paths say what there is none of")
    func unknown() async {
        let name = await refusal("--model", "nothing")
        #expect(name.hasPrefix("cllm: There is neither a file nor an installed model 'nothing' ("))
        let variable = await refusal(variables: ["CLLM_MODEL": "/nowhere.gguf"])
        let expected = "cllm: The model '/nowhere.gguf' (from CLLM_MODEL) cannot be opened: there is no such file.\n"
        #expect(variable == expected)
        let file = await refusal("--model", "nowhere.gguf")
        #expect(file.hasPrefix("cllm: The model 'nowhere.gguf' cannot be opened: there is no such file"))
    }

    @Test("a damaged model is refused with its reason and the remedy")
    func damaged() async throws {
        let id = try await folder.install()
        try FileManager.default.removeItem(atPath: weights(id))
        for message in [await refusal("--model", id), await refusal("--model", "small-Q4_0")] {
            #expect(message.hasPrefix("cllm: 'small-Q4_0' is damaged: its file 'small-Q4_0.gguf' is missing."))
            #expect(message.contains("cllm models remove \(id)"))
        }
        try folder.write(Array((id + "\n").utf8), to: "Models/.selection")
        #expect(await refusal().contains("is damaged"))
    }

    @Test(
        "smoke, bench and debug find models in the same way",
        arguments: [
            ["smoke", "small-Q4_0"], ["bench", "--model", "small-Q4_0"],
            ["debug", "tokenize", "--model", "small-Q4_0", "x"],
        ])
    func otherCommands(arguments: [String]) async throws {
        try await folder.install()
        let session = folder.session()
        _ = await session.run(arguments)
        #expect(!session.errors.text.contains("small-Q4_0"))
        #expect(!session.runtime.log.loads.isEmpty || !session.runtime.log.tokenized.isEmpty)
    }
}
