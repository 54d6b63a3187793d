import Foundation

/// The files of one download below `<models root>/.partials`.
///
/// Nothing in their names comes from a server.
struct PartialFiles: Sendable, Hashable {
    /// Twelve hexadecimal digits that stand for the address.
    let key: String

    let folder: URL

    init(root: URL, source: URL) {
        self.init(folder: Self.folder(in: root), key: Self.key(of: source))
    }

    init(folder: URL, key: String) {
        self.folder = folder
        self.key = key
    }

    /// The data while it arrives.
    var data: URL { file("partial", "gguf") }

    /// The data once it is whole and verified; nothing else ever has this name.
    var finished: URL { file("complete", "gguf") }

    /// A second name of the finished data, for an installation to take away.
    var handover: URL { file("install", "gguf") }

    /// What is known about the data.
    var sidecar: URL { file("partial", "json") }

    /// The next sidecar while it is written.
    var sidecarDraft: URL { file("partial", "json.new") }

    /// Locked by the process that downloads.
    var lock: URL { file("partial", "lock") }

    private func file(_ kind: String, _ suffix: String) -> URL {
        folder.appendingPathComponent("cllm-\(kind)-\(key).\(suffix)", isDirectory: false)
    }

    static func folder(in root: URL) -> URL {
        root.appendingPathComponent(".partials", isDirectory: true)
    }

    static func key(of source: URL) -> String { key(of: source.absoluteString) }

    static func key(of text: String) -> String {
        String(SHA256Hasher.hash(Array(text.utf8)).prefix(12))
    }

    /// The key in the name of a file of this package, whatever its kind; nil for other files.
    static func key(inName name: String) -> String? {
        for kind in ["partial", "complete", "install"] where name.hasPrefix("cllm-\(kind)-") {
            let key = name.dropFirst("cllm-\(kind)-".count).prefix { $0 != "." }
            let isKey = key.utf8.count == 12 && key.utf8.allSatisfy(HuggingFaceRepository.isHexDigit)
            return isKey && key == key.lowercased() ? String(key) : nil
        }
        return nil
    }
}
