import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CLLMCommands

/// A models folder, and the commands run on it.
struct ModelsFolder: Sendable {
    /// What a command did.
    struct Outcome: Sendable {
        let code: Int32
        let session: CommandSession

        var output: String { session.output.text }
        var errors: String { session.errors.text }
        func json() throws -> LLMJSONValue { try session.json() }
    }

    let home = TemporaryFile.newFolder()
    var root: URL { home.appendingPathComponent("Models", isDirectory: true) }

    /// A session on this folder.
    func session() -> CommandSession {
        var session = CommandSession()
        session.home = home
        return session
    }

    func run(_ arguments: String...) async -> Outcome {
        let session = session()
        return Outcome(code: await session.run(arguments), session: session)
    }

    /// Runs a command of which only the result matters.
    @discardableResult
    func succeed(_ arguments: String...) async throws -> Outcome {
        let session = session()
        let outcome = Outcome(code: await session.run(arguments), session: session)
        try #require(outcome.code == 0, "\(outcome.errors)")
        return outcome
    }

    /// Writes a file beside the models folder, or in it.
    @discardableResult
    func write(_ bytes: [UInt8], to relativePath: String) throws -> String {
        let url = home.appendingPathComponent(relativePath)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    /// Imports a small model and returns its id.
    @discardableResult
    func install(_ name: String = "small-Q4_0", model: GGUFBuilder = .small()) async throws -> String {
        let path = try write(model.bytes(), to: "sources/\(UUID().uuidString)/\(name).gguf")
        let outcome = try await succeed("models", "import", path)
        return outcome.output.trimmingCharacters(in: .newlines)
    }

    /// Installs a model as if it came from a hub, by changing what is stored about an imported one.
    @discardableResult
    func install(_ repo: String, _ file: String) async throws -> String {
        let id = try await install(ModelFileName.stem(file))
        let metadata = root.appendingPathComponent(id).appendingPathComponent("metadata.json")
        var object = try #require(try LLMJSONValue(jsonData: Data(contentsOf: metadata)).objectValue)
        object["hfRepo"] = .string(repo)
        object["hfFilename"] = .string(file)
        try Data(LLMJSONValue.object(object).jsonString().utf8).write(to: metadata)
        return id
    }

    /// The ids that `models list` shows.
    func ids() async throws -> [String] {
        try await succeed("models", "list", "--json").json().arrayValue?.compactMap { $0.string(forKey: "id") } ?? []
    }
}

extension GGUFBuilder {
    /// A model with one tensor of a few bytes, and `padding` bytes behind it.
    static func small(padding: Int = 0, _ more: [(String, GGUFBuilder.Value)] = []) -> GGUFBuilder {
        var builder = GGUFBuilder()
        builder.add("general.architecture", .string("llama"))
        builder.add("llama.context_length", .uint32(32_768))
        for (key, value) in more { builder.add(key, value) }
        builder.add(.float32("token_embd.weight", dimensions: [4, 8]))
        builder.trailingBytes = (0..<padding).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        return builder
    }
}
