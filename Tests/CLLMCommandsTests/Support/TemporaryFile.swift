import Foundation

/// A file that lives as long as the test process.
struct TemporaryFile: Sendable {
    let path: String

    init(_ bytes: [UInt8], name: String = "file") throws {
        let folder = Self.root.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent(name)
        try Data(bytes).write(to: url)
        path = url.path
    }

    init(_ text: String, name: String = "file") throws {
        try self.init(Array(text.utf8), name: name)
    }

    /// What passes for a model until an engine opens it.
    static func model() throws -> TemporaryFile {
        try TemporaryFile("GGUF and more", name: "model.gguf")
    }

    private static let root: URL = {
        atexit { try? FileManager.default.removeItem(at: TemporaryFile.root) }
        return FileManager.default.temporaryDirectory.appendingPathComponent("cllm-tests-\(UUID().uuidString)")
    }()
}
