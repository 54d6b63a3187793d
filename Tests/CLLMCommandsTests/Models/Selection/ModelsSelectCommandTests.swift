import CarbocationLocalLLM
import Foundation
import Testing

@testable import CLLMCommands

@Suite struct ModelsSelectCommandTests {
    private let folder = ModelsFolder()

    @Test("selects an installed model, which selected then prints")
    func selection() async throws {
        let id = try await folder.install()
        let selected = try await folder.succeed("models", "select", "small-Q4_0")
        #expect(selected.output.isEmpty)
        #expect(selected.errors == "cllm: selected small-Q4_0\n")
        let shown = try await folder.succeed("models", "selected")
        #expect(shown.output == id + "\n")
        #expect(shown.errors.isEmpty)
    }

    @Test("--json of both has the stored value and the name")
    func json() async throws {
        #expect(
            try await folder.succeed("models", "selected", "--json").json()
                == ["selection": nil, "displayName": nil])
        let id = try await folder.install()
        for command in ["select", "selected"] {
            let words = ["models", command, "--json"] + (command == "select" ? [id] : [])
            let session = folder.session()
            #expect(await session.run(words) == 0)
            #expect(try session.json() == ["selection": .string(id), "displayName": "small-Q4_0"])
        }
    }

    @Test("that nothing is selected is no failure")
    func nothing() async throws {
        let outcome = try await folder.succeed("models", "selected")
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("no model is selected"))
    }

    @Test("a selection whose model has gone is still told")
    func stale() async throws {
        let id = try await folder.install()
        try await folder.succeed("models", "select", id)
        try FileManager.default.removeItem(at: folder.root.appendingPathComponent(id))
        let outcome = try await folder.succeed("models", "selected")
        #expect(outcome.output == id + "\n")
        #expect(outcome.errors == "cllm: the selected model is not among the installed ones\n")
    }

    @Test("only what is installed and sound can be selected")
    func refusals() async throws {
        let unknown = await folder.run("models", "select", "nothing")
        #expect(unknown.code == 1)
        #expect(unknown.errors.contains("'cllm models list' shows them all"))
        let id = try await folder.install()
        try FileManager.default.removeItem(
            at: folder.root.appendingPathComponent(id).appendingPathComponent("small-Q4_0.gguf"))
        #expect(await folder.run("models", "select", id).code == 1)
        #expect(try await folder.succeed("models", "selected").output.isEmpty)
    }

    @Test("a model of the system that is not available is not selected")
    func systemModel() async throws {
        let folder = ModelsFolder()
        let outcome = await folder.run("models", "select", "system.apple-intelligence")
        #expect(outcome.code == 1)
        #expect(outcome.errors.hasPrefix("cllm: Apple Intelligence cannot be used"))
        #expect(try await folder.succeed("models", "selected").output.isEmpty)
    }
}
