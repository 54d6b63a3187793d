/// How far a download is.
public struct DownloadProgress: Sendable, Hashable {
    /// The bytes that are there, those of earlier calls included.
    public var bytesReceived: Int64

    /// The bytes that there will be, 0 when the server does not tell.
    public var totalBytes: Int64

    /// How fast bytes arrived over the last five seconds; bytes that were on disk already do not count.
    public var bytesPerSecond: Double

    /// Creates a state of progress.
    public init(bytesReceived: Int64, totalBytes: Int64, bytesPerSecond: Double) {
        self.bytesReceived = bytesReceived
        self.totalBytes = totalBytes
        self.bytesPerSecond = bytesPerSecond
    }

    /// The part that is there, from 0 to 1; 0 when the total is unknown.
    public var fractionComplete: Double { Self.fraction(bytesReceived, of: totalBytes) }

    static func fraction(_ part: Int64, of total: Int64) -> Double {
        total > 0 ? min(max(Double(part) / Double(total), 0), 1) : 0
    }
}
