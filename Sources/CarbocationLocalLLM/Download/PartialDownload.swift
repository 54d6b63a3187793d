public import Foundation

/// A download that was begun and can be resumed.
public struct PartialDownload: Sendable, Hashable, Identifiable {
    /// Names the download among those of its models folder.
    public var id: String

    /// The data.
    public var partialURL: URL

    /// What is known about the data.
    public var sidecarURL: URL

    /// Where the data comes from.
    public var sourceURL: URL

    /// A name to show.
    public var displayName: String

    /// The model that the file belongs to, at the commit that was recorded; nil for a plain address.
    public var reference: HuggingFaceModelReference?

    /// The path of the file in the model's repository.
    public var artifactPath: String?

    /// The size of the whole file.
    public var totalBytes: Int64

    /// The bytes that need not be fetched again.
    public var bytesOnDisk: Int64

    /// Whether this file is whole and waits for others of its model.
    public var isComplete: Bool

    /// Creates a description of a partial download.
    public init(
        id: String, partialURL: URL, sidecarURL: URL, sourceURL: URL, displayName: String,
        reference: HuggingFaceModelReference? = nil, artifactPath: String? = nil, totalBytes: Int64,
        bytesOnDisk: Int64, isComplete: Bool = false
    ) {
        self.id = id
        self.partialURL = partialURL
        self.sidecarURL = sidecarURL
        self.sourceURL = sourceURL
        self.displayName = displayName
        self.reference = reference
        self.artifactPath = artifactPath
        self.totalBytes = totalBytes
        self.bytesOnDisk = bytesOnDisk
        self.isComplete = isComplete
    }

    /// The part that is there, from 0 to 1.
    public var fractionComplete: Double { DownloadProgress.fraction(bytesOnDisk, of: totalBytes) }
}
