import Foundation

/// A file that is deleted with this object.
final class TemporaryFile: Sendable {
    let path: String

    init(_ bytes: [UInt8], name: String = "file") throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cllm-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent(name)
        try Data(bytes).write(to: url)
        path = url.path
    }

    convenience init(_ text: String, name: String = "file") throws {
        try self.init(Array(text.utf8), name: name)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
    }

    /// What passes for a model until an engine opens it.
    static func model() throws -> TemporaryFile {
        try TemporaryFile("GGUF and more", name: "model.gguf")
    }
}
