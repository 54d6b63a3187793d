#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The system calls on an open file, with the retries that every caller needs.
struct Descriptor: Sendable {
    /// A call that failed for good.
    struct Failure: Error, Hashable {
        let number: Int32

        var isClosedPipe: Bool { number == EPIPE }
        var reason: String { String(cString: strerror(number)) }
    }

    let number: Int32

    var isTerminal: Bool { isatty(number) == 1 }

    /// The next bytes, at most `limit`; empty at the end.
    func read(upTo limit: Int) throws(Failure) -> [UInt8] {
        var failure: Failure?
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let result = retrying(POLLIN) { systemRead(number, buffer.baseAddress, limit) }
            count = max(0, result)
            if result < 0 { failure = Failure(number: errno) }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes all of `bytes`, in as many calls as the system needs.
    func write(_ bytes: [UInt8]) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let result = bytes.withUnsafeBytes { buffer in
                retrying(POLLOUT) {
                    systemWrite(number, buffer.baseAddress?.advanced(by: written), buffer.count - written)
                }
            }
            if result < 0 { throw Failure(number: errno) }
            written += result
        }
    }

    /// Repeats a call that a signal broke off, or that found a non-blocking file not ready.
    private func retrying(_ readiness: Int32, _ call: () -> Int) -> Int {
        while true {
            let result = call()
            guard result < 0 else { return result }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK:
                var request = pollfd(fd: number, events: Int16(readiness), revents: 0)
                _ = poll(&request, 1, -1)
            default: return result
            }
        }
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}
