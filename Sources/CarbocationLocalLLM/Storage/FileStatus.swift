package import Foundation

/// What `stat` tells about a file.
package struct FileStatus: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case regular, directory, link, other
    }

    package var kind: Kind
    package var size: Int64
    package var modified: ModificationTime
    package var fileNumber: UInt64
    package var device: UInt64
    package var permissions: UInt16

    package init(
        kind: Kind, size: Int64, modified: ModificationTime = ModificationTime(), fileNumber: UInt64 = 0,
        device: UInt64 = 0, permissions: UInt16 = 0o666
    ) {
        self.kind = kind
        self.size = size
        self.modified = modified
        self.fileNumber = fileNumber
        self.device = device
        self.permissions = permissions
    }
}

/// A point in time as file systems keep it: exact where a `Date` would round.
package struct ModificationTime: Sendable, Hashable, Comparable {
    package var seconds: Int64 = 0
    package var nanoseconds: Int64 = 0

    package init(seconds: Int64 = 0, nanoseconds: Int64 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    package var date: Date { Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9) }

    package static func < (lhs: ModificationTime, rhs: ModificationTime) -> Bool {
        (lhs.seconds, lhs.nanoseconds) < (rhs.seconds, rhs.nanoseconds)
    }
}

/// Tells one version of a file from another.
package struct FileStamp: Sendable, Hashable {
    package var size: Int64
    package var modified: ModificationTime

    package init(_ status: FileStatus) {
        self.init(size: status.size, modified: status.modified)
    }

    package init(size: Int64, modified: ModificationTime) {
        self.size = size
        self.modified = modified
    }
}

/// A name in a folder; some file systems do not tell the kind while listing.
package struct DirectoryEntry: Sendable, Hashable {
    package var name: String
    package var kind: FileStatus.Kind?

    package init(name: String, kind: FileStatus.Kind?) {
        self.name = name
        self.kind = kind
    }
}
