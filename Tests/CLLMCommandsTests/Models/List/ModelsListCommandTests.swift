import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CLLMCommands

@Suite struct ModelsListCommandTests {
    private let folder = ModelsFolder()

    private static let fields: Set = [
        "id", "displayName", "filename", "sizeBytes", "contextLength", "quantization", "source", "readOnly",
        "hfRepo", "hfFilename", "sha256", "artifacts", "damaged",
    ]

    private func weights(_ id: String) -> URL {
        folder.root.appendingPathComponent(id).appendingPathComponent("small-Q4_0.gguf")
    }

    @Test("an empty library is an empty array, and makes no folder")
    func empty() async throws {
        #expect(try await folder.succeed("models", "list", "--json").output == "[]\n")
        let text = try await folder.succeed("models", "list")
        #expect(text.output.isEmpty)
        #expect(text.errors.contains("cllm models pull"))
        #expect(try await folder.succeed("models", "list", "--quiet").errors.isEmpty)
    }

    @Test("--json has exactly the fields that are promised")
    func json() async throws {
        let id = try await folder.install()
        let list = try #require(try await folder.succeed("models", "list", "--json").json().arrayValue)
        let model = try #require(list.first)
        #expect(list.count == 1)
        #expect(Set(model.objectValue?.keys ?? []) == Self.fields)
        #expect(model.string(forKey: "id") == id)
        #expect(model.string(forKey: "displayName") == "small-Q4_0")
        #expect(model.string(forKey: "filename") == "small-Q4_0.gguf")
        #expect(model.value(forKey: "contextLength") == 32_768)
        #expect(model.string(forKey: "quantization") == "Q4_0")
        #expect(model.string(forKey: "source") == "imported")
        #expect(model.value(forKey: "readOnly") == false)
        #expect(model.value(forKey: "hfRepo") == .null)
        #expect(model.value(forKey: "damaged") == .null)
        let size = try Data(contentsOf: weights(id)).count
        #expect(model.value(forKey: "sizeBytes") == .int(Int64(size)))
        let artifact = try #require(model.array(forKey: "artifacts")?.first)
        #expect(artifact.string(forKey: "role") == "primaryModel")
        #expect(artifact.string(forKey: "relativePath") == "small-Q4_0.gguf")
    }

    @Test("a line of text has the id, the name and what there is to know")
    func text() async throws {
        let id = try await folder.install()
        let line = try await folder.succeed("models", "list").output
        #expect(line.hasPrefix("\(id)  small-Q4_0  Q4_0  "))
        #expect(line.hasSuffix("32768 tokens\n"))
    }

    @Test("damaged entries are listed with their reason")
    func damaged() async throws {
        let id = try await folder.install()
        try FileManager.default.removeItem(at: weights(id))
        let model = try #require(try await folder.succeed("models", "list", "--json").json().arrayValue?.first)
        #expect(Set(model.objectValue?.keys ?? []) == Self.fields)
        #expect(model.string(forKey: "id") == id)
        #expect(
            model.value(forKey: "damaged") == ["reason": "missingWeights", "detail": "small-Q4_0.gguf"])
        let text = try await folder.succeed("models", "list").output
        #expect(text.contains("damaged: its file 'small-Q4_0.gguf' is missing"))
    }

    @Test("models of other programs are read-only, and left out with --managed-only")
    func external() async throws {
        try folder.write(
            GGUFBuilder.small().bytes(), to: ".lmstudio/models/owner/repo-GGUF/repo-Q8_0.gguf")
        let list = try #require(try await folder.succeed("models", "list", "--json").json().arrayValue)
        #expect(list.first?.value(forKey: "readOnly") == true)
        #expect(try await folder.succeed("models", "list").output.hasSuffix("read-only\n"))
        #expect(try await folder.succeed("models", "list", "--json", "--managed-only").output == "[]\n")
    }

    @Test("--models-dir is another library")
    func otherFolder() async throws {
        try await folder.install()
        let other = TemporaryFile.newFolder().path
        #expect(try await folder.succeed("models", "list", "--json", "--models-dir", other).output == "[]\n")
    }

    @Test(
        "each kind of damage has a name, a detail and an explanation",
        arguments: [
            (.unreadableMetadata, "unreadableMetadata", nil), (.identifierMismatch, "identifierMismatch", nil),
            (.unsafePath("../x"), "unsafePath", "../x"), (.missingWeights("a"), "missingWeights", "a"),
            (.notAModelFile("a"), "notAModelFile", "a"),
            (.incompleteSplit(missing: ["a", "b"]), "incompleteSplit", "a, b"),
        ] as [(DamagedInstalledModel.Reason, String, String?)])
    func damage(_ damage: DamagedInstalledModel.Reason, reason: String, detail: String?) {
        let shown = ModelDamage(damage)
        #expect(shown.reason == reason)
        #expect(shown.detail == detail)
        #expect(!shown.explanation.isEmpty)
    }
}
