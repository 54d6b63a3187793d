package import Foundation

/// The names under a library's root.
package struct LibraryLayout: Sendable, Hashable {
    package static let metadataName = "metadata.json"
    static let stagingName = ".staging"
    static let partialsName = ".partials"
    static let indexName = ".index"

    /// The root's path, without a slash at the end.
    package let root: String

    package init(root: URL) {
        let path = root.standardizedFileURL.path
        self.root = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    package var staging: String { root + "/" + Self.stagingName }
    package var partials: String { root + "/" + Self.partialsName }
    package var index: String { root + "/" + Self.indexName }

    package func folder(of id: UUID) -> String { root + "/" + id.uuidString }
}
