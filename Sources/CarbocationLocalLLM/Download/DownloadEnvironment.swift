import Foundation

/// What downloads need from the world.
struct DownloadEnvironment: Sendable {
    var client: HTTPClient
    var fileSystem: any DownloadFileSystem
    var clock: DownloadClock
    var mutex: KeyedMutex
    /// The wait before the given retry, 1 for the first, with the seconds that the server asked for.
    var retryDelay: @Sendable (_ retry: Int, _ retryAfter: TimeInterval?) -> Duration

    init(
        client: HTTPClient = HTTPClient(), fileSystem: any DownloadFileSystem = LocalFileSystem(),
        clock: DownloadClock = .live, mutex: KeyedMutex = KeyedMutex(),
        retryDelay: @escaping @Sendable (Int, TimeInterval?) -> Duration = Self.jitteredDelay
    ) {
        self.client = client
        self.fileSystem = fileSystem
        self.clock = clock
        self.mutex = mutex
        self.retryDelay = retryDelay
    }

    var locks: DownloadLocks { DownloadLocks(mutex: mutex, fileSystem: fileSystem, clock: clock) }

    static func jitteredDelay(_ retry: Int, _ retryAfter: TimeInterval?) -> Duration {
        var generator = SystemRandomNumberGenerator()
        return RetrySchedule().delay(beforeRetry: retry, retryAfter: retryAfter, using: &generator)
    }
}
