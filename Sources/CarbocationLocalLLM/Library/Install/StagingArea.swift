import Foundation

/// Where models are put together before they become visible, and taken apart after they were deleted.
///
/// The folder lies in the root, so that one rename moves a model between the two.
struct StagingArea: Sendable {
    /// What is this old was left by a process that ended.
    static let abandonedAfter: TimeInterval = 24 * 3600

    let layout: LibraryLayout
    let calls: any FileCalls

    /// Creates the root and the staging folder where they are missing.
    ///
    /// A staging folder that is a file or a link is refused: what is removed from it could lie anywhere.
    func prepare() throws(FileFailure) {
        try calls.ensureDirectories(layout.root)
        try calls.ensureDirectory(layout.staging)
    }

    /// What something is in the staging folder for.
    enum Purpose: String {
        case install
        case metadata
        case projector
        case deletion = "deleted"
    }

    /// A path that nothing else uses.
    func place(for id: UUID, purpose: Purpose) -> String {
        "\(layout.staging)/\(id.uuidString)-\(purpose.rawValue)-\(UUID().uuidString.prefix(8))"
    }

    /// Removes what earlier processes left; what cannot be removed stays for another time.
    ///
    /// A deleted model is of no use to anybody. Anything else may belong to a process that is at work on it.
    func removeAbandoned(now: Date) {
        guard calls.isDirectory(layout.staging) else { return }
        for entry in (try? calls.entries(of: layout.staging)) ?? [] {
            let path = layout.staging + "/" + entry.name
            guard let status = try? calls.status(of: path, followingLinks: false),
                entry.name.contains("-\(Purpose.deletion.rawValue)-")
                    || now.timeIntervalSince(status.modified.date) > Self.abandonedAfter
            else { continue }
            try? calls.removeTree(path)
        }
    }
}
