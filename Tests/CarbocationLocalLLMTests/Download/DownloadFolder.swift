import Foundation

/// A folder of a test's own that goes with the test.
final class DownloadFolder: Sendable {
    let url: URL

    init() {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("download-tests-\(UUID().uuidString)", isDirectory: true)
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func url(_ path: String) -> URL { url.appendingPathComponent(path) }

    /// Where partial files are.
    var partials: URL { url.appendingPathComponent(".partials", isDirectory: true) }

    /// The names of the files in the folder of partial files.
    var partialNames: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: partials.path)) ?? []).sorted()
    }
}
