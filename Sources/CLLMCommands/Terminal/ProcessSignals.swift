import CarbocationLocalLLM
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
    /// The first SIGINT or SIGTERM arrives in the stream; a further one kills the process at once, unless ``rearm()`` was
    /// called meanwhile. Those that come within a moment count as the same one, because programs such as `timeout`
    /// signal a process and then its whole group. Both are taken even where the parent left them ignored, as shells do
    /// for background jobs.
    ///
    /// Handlers rather than blocked signals and `sigwait`: Dispatch parks the main thread with no signal blocked.
    package static func takeOver() -> AsyncStream<Interruption> {
        signal(SIGPIPE, SIG_IGN)
        let (stream, continuation) = AsyncStream<Interruption>.makeStream()
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return stream }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            // A full pipe must not stop the handler, nor an empty one the reader between two signals.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        signalPipe = ends[1]
        for handled in signals { signal(handled.rawValue, forward) }
        let arrivals = Descriptor(number: ends[0])
        Thread.detachNewThread {
            while let number = try? arrivals.read(upTo: 1).first {
                isRearmed.withLock { $0 = false }
                if let signal = Interruption(rawValue: Int32(number)) { continuation.yield(signal) }
                disarm(passingRepetitions: arrivals)
            }
        }
        return stream
    }

    /// Lets the next SIGINT or SIGTERM arrive in the stream again; for those who have dealt with the last one.
    @Sendable
    package static func rearm() {
        isRearmed.withLock { isRearmed in
            isRearmed = true
            for handled in signals { signal(handled.rawValue, forward) }
        }
    }

    /// Lets a further signal kill the process, once those that count as the last one have come.
    private static func disarm(passingRepetitions arrivals: Descriptor) {
        for _ in 0..<20 {
            if isRearmed.withLock(\.self) { return }
            Thread.sleep(forTimeInterval: repetitionTime / 20)
        }
        isRearmed.withLock { isRearmed in
            guard !isRearmed else { return }
            for handled in signals { signal(handled.rawValue, SIG_DFL) }
            var bytes: [UInt8] = Array(repeating: 0, count: 64)
            while read(arrivals.number, &bytes, bytes.count) > 0 {}
        }
    }

    private static let isRearmed = Locked(false)

    private static let signals: [Interruption] = [.interrupt, .terminate]

    /// Longer than a program takes to signal twice, shorter than a person takes to press Ctrl-C again.
    private static let repetitionTime = 0.2
}

// `unsafe` is safe: written once, before the handlers that read it are installed.
nonisolated(unsafe) private var signalPipe: Int32 = -1

/// Only does what is allowed while any other code is interrupted.
private func forward(_ number: Int32) {
    let interruptedErrno = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(signalPipe, &byte, 1)
    errno = interruptedErrno
}
