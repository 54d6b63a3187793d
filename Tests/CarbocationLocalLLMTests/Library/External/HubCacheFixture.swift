import Foundation
import TestSupport

@testable import CarbocationLocalLLM

/// A hub cache that tests fill.
struct HubCacheFixture {
    let folder: ScratchFolder
    static let main = String(repeating: "a", count: 40)
    static let old = String(repeating: "b", count: 40)

    init() throws { folder = try ScratchFolder() }

    static func digest(_ digit: Character) -> String { String(repeating: digit, count: 64) }

    /// Adds a file as Hugging Face's tools do: the contents under their digest, a link in the snapshot.
    func add(
        _ path: String, _ builder: GGUFBuilder = .model(), blob: String = digest("1"), commit: String = main,
        repo: String = "owner--name"
    ) throws {
        try folder.write(builder, to: "models--\(repo)/blobs/\(blob)")
        let up = String(repeating: "../", count: path.split(separator: "/").count + 1)
        try folder.link("models--\(repo)/snapshots/\(commit)/\(path)", to: "\(up)blobs/\(blob)")
    }

    func ref(_ name: String = "main", _ text: String = main, repo: String = "owner--name") throws {
        try folder.write(text, to: "models--\(repo)/refs/\(name)")
    }

    func models(_ calls: any FileCalls = SystemFileCalls()) -> [InstalledModel] {
        HuggingFaceCacheStore(
            root: folder.path, calls: calls, headers: HeaderTable(calls: calls, known: [:])
        ).models()
    }
}
