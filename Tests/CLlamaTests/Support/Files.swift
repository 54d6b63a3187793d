import CLlama
import Foundation
import Testing

/// Files that tests load.
enum Files {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL
    static let pocketModel = root.appendingPathComponent("Tests/Fixtures/pocket-toolbot/pocket-toolbot.gguf")
    static let dialogues = root.appendingPathComponent("Tests/Fixtures/pocket-toolbot/eval.json")

    /// Vocabularies without weights that come with the sources of llama.cpp.
    static let vocabularies: [URL] = {
        let folder = root.appendingPathComponent("Vendor/llama-artifacts/current/share/vocab")
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == "gguf" }.sorted { $0.path < $1.path }
    }()

    /// Calls `body` with a file of these bytes and removes it afterwards.
    static func with<Result>(_ data: Data, _ body: (URL) throws -> Result) throws -> Result {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gguf")
        try data.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try body(url)
    }

    /// The model in a file that exists only while it is loaded.
    static func model(_ data: Data) throws -> Model {
        try with(data) { try Model($0, usesMemoryMap: false) }
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs only in builds with llama.cpp.
    static var needsRuntime: Self {
        .enabled("build with a llama artifact: run \"make setup\"") { cl_runtime_is_available() }
    }

    /// Runs only where the vocabularies of llama.cpp's sources were installed.
    static var needsVocabularies: Self {
        .enabled("install the vocabularies: run \"make setup\"") { !Files.vocabularies.isEmpty }
    }
}
