#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The only owner of a file descriptor.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Throws the system's error if a call returned -1.
    @discardableResult
    static func check(_ result: Int32, _ call: String) throws -> Int32 {
        if result == -1 { throw SystemCallFailure(call: call, code: errno) }
        return result
    }
}

/// A system call of the test server that failed.
public struct SystemCallFailure: Error, CustomStringConvertible {
    /// The call's name.
    public let call: String

    /// The value of `errno`.
    public let code: Int32

    /// The call and the system's reason.
    public var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// A descriptor that becomes readable once and stays so, for threads that wait in `poll`.
final class WakePipe: Sendable {
    let readEnd: Descriptor
    private let writeEnd: Descriptor

    init() throws {
        var ends: [Int32] = [-1, -1]
        try Descriptor.check(pipe(&ends), "pipe")
        readEnd = Descriptor(ends[0])
        writeEnd = Descriptor(ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    func wake() {
        var byte: UInt8 = 1
        _ = write(writeEnd.number, &byte, 1)
    }
}
