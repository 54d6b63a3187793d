public import Foundation

/// How a download uses the network.
///
/// Values out of range are moved into it.
public struct ModelDownloadConfiguration: Sendable, Hashable {
    /// The most requests at a time, 1 to 32.
    public let parallelConnections: Int

    /// The bytes of one ranged request, 1 MiB or more.
    ///
    /// A download that is resumed keeps the size it began with.
    public let chunkSize: Int

    /// Seconds without any byte after which a request fails, 30 or more.
    public let requestTimeout: TimeInterval

    /// How often each chunk is tried again.
    public let maximumRetries: Int

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - parallelConnections: The most requests at a time.
    ///   - chunkSize: The bytes of one ranged request.
    ///   - requestTimeout: Seconds without any byte after which a request fails.
    ///   - maximumRetries: How often each chunk is tried again.
    public init(
        parallelConnections: Int = 12, chunkSize: Int = 16 * 1024 * 1024, requestTimeout: TimeInterval = 60,
        maximumRetries: Int = 5
    ) {
        self.parallelConnections = min(max(parallelConnections, 1), 32)
        self.chunkSize = max(chunkSize, 1 << 20)
        // Not a number counts as the least, too.
        self.requestTimeout = requestTimeout > 30 ? requestTimeout : 30
        self.maximumRetries = max(maximumRetries, 0)
    }
}
