import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A system call on a file that did not succeed.
package struct FileFailure: Error, LocalizedError, Sendable, Hashable {
    /// What was tried, as the end of "could not …".
    package enum Operation: String, Sendable, Hashable {
        case list, read, write, create, move, remove
        case synchronize = "write to disk"
    }

    package var operation: Operation
    package var path: String

    /// The system's error number.
    package var code: Int32

    package init(_ operation: Operation, _ path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// Whether there is nothing at the path.
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// Whether source and destination of a move lie on different volumes.
    package var isOtherVolume: Bool { code == EXDEV }

    package var errorDescription: String? {
        "Could not \(operation.rawValue) \(path): \(String(cString: strerror(code))).\(remedy.map { " \($0)" } ?? "")"
    }

    package var recoverySuggestion: String? { remedy }

    private var remedy: String? {
        switch code {
        case ENOSPC, EDQUOT: "Free some disk space and try again."
        case EACCES, EPERM: "Check that this app may change files there."
        case EROFS: "The volume is read-only; choose another place."
        default: nil
        }
    }
}
