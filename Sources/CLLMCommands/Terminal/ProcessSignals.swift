import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The signals of this process as a stream.
package enum ProcessSignals {
    /// Takes over SIGINT and SIGTERM, and makes a closed pipe an error instead of a signal.
    ///
    /// The first SIGINT or SIGTERM arrives in the stream; every further one kills the process at once. Both are
    /// taken even where the parent left them ignored, as shells do for background jobs. Call it before the process
    /// has a second thread: it blocks the signals in the calling one, and later threads inherit that.
    package static func takeOver() -> AsyncStream<Interruption> {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
        change(SIG_BLOCK)
        let (stream, continuation) = AsyncStream<Interruption>.makeStream()
        Thread.detachNewThread {
            if let first = wait() { continuation.yield(first) }
            continuation.finish()
            change(SIG_UNBLOCK)
            while true { pause() }
        }
        return stream
    }

    private static func wait() -> Interruption? {
        var signals = handled()
        var number: Int32 = 0
        return sigwait(&signals, &number) == 0 ? Interruption(rawValue: number) : nil
    }

    /// Blocks or unblocks the handled signals in the calling thread.
    private static func change(_ how: Int32) {
        var signals = handled()
        pthread_sigmask(how, &signals, nil)
    }

    private static func handled() -> sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        return signals
    }
}
