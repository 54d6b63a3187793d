import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CLLMCommands

@Suite struct ModelsRemoveCommandTests {
    private let folder = ModelsFolder()

    private func answer(_ text: String, to arguments: String...) async -> ModelsFolder.Outcome {
        var session = folder.session()
        session.input = MemoryReader(text, isTerminal: true)
        return ModelsFolder.Outcome(code: await session.run(arguments), session: session)
    }

    @Test("deletes a model with its files, without asking where nobody can answer")
    func removal() async throws {
        let id = try await folder.install()
        let other = try await folder.install("other")
        let outcome = try await folder.succeed("models", "remove", String(id.prefix(8)))
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors == "cllm: deleted small-Q4_0\n")
        #expect(try await folder.ids() == [other])
        #expect(!FileManager.default.fileExists(atPath: folder.root.appendingPathComponent(id).path))
    }

    @Test("--json prints what was deleted")
    func json() async throws {
        let id = try await folder.install()
        #expect(try await folder.succeed("models", "remove", id, "--json").json().string(forKey: "id") == id)
    }

    @Test(
        "asks at a terminal, and only yes is yes",
        arguments: [
            ("y\n", true), ("YES \n", true), ("y", true), ("n\n", false), ("\n", false), ("", false), ("yep\n", false),
        ])
    func question(text: String, isYes: Bool) async throws {
        let id = try await folder.install()
        let outcome = await answer(text, to: "models", "remove", id)
        #expect(outcome.code == (isYes ? 0 : 1))
        #expect(outcome.errors.hasPrefix("Delete small-Q4_0 ("))
        #expect(outcome.errors.contains("[y/N] "))
        #expect(try await folder.ids().isEmpty == isYes)
        if !isYes { #expect(outcome.errors.hasSuffix("cllm: Nothing was deleted.\n")) }
    }

    @Test("--yes does not ask")
    func yes() async throws {
        let id = try await folder.install()
        let outcome = await answer("n\n", to: "models", "remove", id, "--yes")
        #expect(outcome.code == 0)
        #expect(!outcome.errors.contains("[y/N]"))
        #expect(try await folder.ids().isEmpty)
    }

    @Test("the question can be interrupted")
    func interruption() async throws {
        let id = try await folder.install()
        var session = folder.session()
        session.input = EndlessTerminal()
        session.interrupt(.interrupt)
        #expect(await session.run("models", "remove", id) == 130)
        #expect(try await folder.ids() == [id])
    }

    @Test("a selection goes with its model, and stays with another")
    func selection() async throws {
        let id = try await folder.install()
        let other = try await folder.install("other")
        try await folder.succeed("models", "select", id)
        try await folder.succeed("models", "remove", other)
        #expect(try await folder.succeed("models", "selected").output == id + "\n")
        try await folder.succeed("models", "remove", id)
        #expect(try await folder.succeed("models", "selected").output.isEmpty)
    }

    @Test("damaged entries can be deleted, models of other programs cannot")
    func others() async throws {
        let id = try await folder.install()
        try FileManager.default.removeItem(
            at: folder.root.appendingPathComponent(id).appendingPathComponent("small-Q4_0.gguf"))
        try await folder.succeed("models", "remove", id)
        let path = try folder.write(
            GGUFBuilder.small().bytes(), to: ".lmstudio/models/owner/repo-GGUF/repo-Q8_0.gguf")
        let external = try #require(try await folder.ids().first)
        let outcome = await folder.run("models", "remove", external, "--yes")
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("read-only"))
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test("a name from outside does not steer the terminal")
    func hostileName() async throws {
        let path = try folder.write(GGUFBuilder.small().bytes(), to: "m.gguf")
        try await folder.succeed("models", "import", path, "--name", "a\u{1B}[2Jb")
        let refused = await answer("n\n", to: "models", "remove", "a\u{1B}[2Jb")
        let deleted = try await folder.succeed("models", "remove", "a\u{1B}[2Jb")
        #expect(refused.errors.hasPrefix("Delete a [2Jb ("))
        #expect(deleted.errors == "cllm: deleted a [2Jb\n")
    }

    @Test("an unknown model is a failure")
    func unknown() async {
        #expect(await folder.run("models", "remove", "nothing", "--yes").code == 1)
    }
}

/// A terminal at which nobody types.
private struct EndlessTerminal: ByteReading {
    let isTerminal = true

    func readToEnd() async throws -> [UInt8] { try await MemoryReader(bytes: nil).readToEnd() }
    func readLine() async throws -> [UInt8]? { try await readToEnd() }
}
