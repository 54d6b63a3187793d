import Foundation

#if canImport(Darwin)
    import Darwin
#endif

/// The memory of this process.
enum ProcessMemory {
    /// The most memory that was resident at once, in bytes; nil where the system does not tell.
    @Sendable
    static func peakBytes() -> Int? {
        #if canImport(Darwin)
            var usage = rusage()
            guard getrusage(RUSAGE_SELF, &usage) == 0 else { return nil }
            return Int(usage.ru_maxrss)
        #else
            guard let status = try? InputFile.text(at: "/proc/self/status") else { return nil }
            return peakBytes(inStatus: status)
        #endif
    }

    /// Reads the `VmHWM` line of Linux's `/proc/PID/status`.
    static func peakBytes(inStatus status: String) -> Int? {
        for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count == 3, words[2] == "kB", let kibibytes = Int(words[1]) else { return nil }
            return kibibytes * 1024
        }
        return nil
    }
}
