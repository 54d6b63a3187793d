import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CLLMCommands

@Suite struct ModelsImportCommandTests {
    private let folder = ModelsFolder()

    @Test("copies a model, prints its id and leaves the file where it is")
    func copy() async throws {
        let bytes = GGUFBuilder.small().bytes()
        let path = try folder.write(bytes, to: "m.gguf")
        let outcome = try await folder.succeed("models", "import", path)
        let id = try #require(UUID(uuidString: outcome.output.trimmingCharacters(in: .newlines))).uuidString
        #expect(outcome.errors.isEmpty)
        #expect(try await folder.ids() == [id])
        #expect(FileManager.default.fileExists(atPath: path))
        let copy = folder.root.appendingPathComponent(id).appendingPathComponent("m.gguf")
        #expect(try Data(contentsOf: copy) == Data(bytes))
    }

    @Test("--name and --json")
    func options() async throws {
        let path = try folder.write(GGUFBuilder.small().bytes(), to: "m.gguf")
        let model = try await folder.succeed("models", "import", path, "--name", "My Model", "--json").json()
        #expect(model.string(forKey: "displayName") == "My Model")
        #expect(try await folder.ids() == [model.string(forKey: "id") ?? ""])
        #expect(try await folder.succeed("models", "show", "My Model").code == 0)
    }

    @Test("parts and projectors join their model, several models become several")
    func severalFiles() async throws {
        func part(_ number: UInt16) throws -> String {
            let builder = GGUFBuilder.small([("split.no", .uint16(number)), ("split.count", .uint16(2))])
            return try folder.write(builder.bytes(), to: "m-0000\(number + 1)-of-00002.gguf")
        }
        let second = try part(1)
        let first = try part(0)
        let split = try await folder.succeed("models", "import", second, first, "--json").json()
        let roles = split.array(forKey: "artifacts")?.compactMap { $0.string(forKey: "role") }
        #expect(roles == ["primaryModel", "splitModel"])
        #expect(try await folder.succeed("models", "show", "m", "--json").json().value(forKey: "splitCount") == 2)
        let one = try folder.write(GGUFBuilder.small().bytes(), to: "one.gguf")
        let two = try folder.write(GGUFBuilder.small().bytes(), to: "two.gguf")
        #expect(try await folder.succeed("models", "import", one, two).session.output.lines.count == 2)
        let both = try await folder.succeed("models", "import", one, two, "--json").json()
        #expect(both.arrayValue?.compactMap { $0.string(forKey: "displayName") } == ["one", "two"])
    }

    @Test("refuses what is no model and adds nothing")
    func refusals() async throws {
        let text = try folder.write(Array("hello".utf8), to: "text.gguf")
        for path in ["/nowhere/m.gguf", text, folder.home.path] {
            let outcome = await folder.run("models", "import", path)
            #expect(outcome.code == 1)
            #expect(outcome.output.isEmpty)
            #expect(outcome.session.errors.lines.count == 1)
        }
        #expect(try await folder.ids().isEmpty)
    }
}
