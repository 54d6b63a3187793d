import Foundation

/// A file that lives as long as the test process.
struct TemporaryFile: Sendable {
    let path: String

    init(_ bytes: [UInt8], name: String = "file") throws {
        let folder = Self.newFolder()
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

    /// A folder that does not exist yet, and is removed with the process if it is made.
    static func newFolder() -> URL { root.appendingPathComponent(UUID().uuidString, isDirectory: true) }

    private static let root: URL = {
        atexit { try? FileManager.default.removeItem(at: TemporaryFile.root) }
        return FileManager.default.temporaryDirectory.appendingPathComponent("cllm-tests-\(UUID().uuidString)")
    }()
}
