public import Foundation

/// A file that was downloaded and verified.
public struct ModelDownloadResult: Sendable, Hashable {
    /// Where the file is.
    ///
    /// It belongs to the caller, who moves or deletes it.
    public var tempURL: URL

    /// Its size.
    public var sizeBytes: Int64

    /// Its SHA-256, 64 lower-case hexadecimal digits, computed from the file.
    public var sha256: String

    /// Creates a result.
    public init(tempURL: URL, sizeBytes: Int64, sha256: String) {
        self.tempURL = tempURL
        self.sizeBytes = sizeBytes
        self.sha256 = sha256
    }
}
