#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Text files that the user names on the command line.
package enum InputFile {
    /// The most bytes that a text may have.
    package static let sizeLimit = 64 << 20

    /// The whole text of the file at `path`, which may also be a pipe.
    static func text(at path: String) throws -> String {
        try text(of: bytes(at: path), named: "'\(path)'")
    }

    /// Bytes as text, without any change.
    static func text(of bytes: [UInt8], named name: String) throws(CommandFailure) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let offset = firstDifference(bytes, text.utf8) else { return text }
        let reason = "\(name) is not UTF-8 text: the byte at offset \(offset) fits no character."
        throw CommandFailure(.invalidInput, reason)
    }

    static func tooLarge(_ name: String, limit: Int) -> CommandFailure {
        CommandFailure(.inputUnreadable, "\(name) is too large: a text may have \(limit) bytes.")
    }

    /// The bytes of the file at `path`, which may also be a pipe.
    static func bytes(at path: String) throws -> [UInt8] {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw unreadable(path, Descriptor.Failure(number: errno)) }
        defer { close(number) }
        var bytes: [UInt8] = []
        while true {
            let chunk: [UInt8]
            do { chunk = try Descriptor(number: number).read(upTo: 1 << 16) } catch { throw unreadable(path, error) }
            if chunk.isEmpty { return bytes }
            bytes += chunk
            guard bytes.count <= sizeLimit else { throw tooLarge("'\(path)'", limit: sizeLimit) }
        }
    }

    private static func unreadable(_ path: String, _ failure: Descriptor.Failure) -> CommandFailure {
        CommandFailure(.inputUnreadable, "'\(path)' cannot be read: \(failure.reason).")
    }

    /// Where the repaired text departs from the bytes, nil when nothing was repaired.
    private static func firstDifference(_ bytes: [UInt8], _ repaired: String.UTF8View) -> Int? {
        var rest = repaired.makeIterator()
        for (offset, byte) in bytes.enumerated() where rest.next() != byte { return offset }
        return nil
    }
}
