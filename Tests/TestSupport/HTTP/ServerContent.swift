import CarbocationLocalLLM
public import Foundation

/// Bytes that a server sends, made while they are sent.
public struct ServerContent: Sendable {
    /// How many bytes there are.
    public let count: Int64

    private let read: @Sendable (Range<Int64>) -> [UInt8]

    /// Makes content of a function that gives the bytes at any range within the count.
    public init(count: Int64, read: @escaping @Sendable (Range<Int64>) -> [UInt8]) {
        self.count = count
        self.read = read
    }

    /// Makes content of bytes in memory.
    public init(_ bytes: [UInt8]) {
        self.init(count: Int64(bytes.count)) { Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)]) }
    }

    /// Makes content of a text in UTF-8.
    public init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// No bytes.
    public static let empty = ServerContent([])

    /// Bytes that look random and are the same for the same seed, in no memory to speak of.
    ///
    /// No two places that are a chunk size apart hold the same bytes, so data written at a wrong offset is noticed.
    public static func pattern(seed: UInt64, count: Int64) -> ServerContent {
        let table = PatternTable(seed: seed)
        return ServerContent(count: count) { table.bytes(in: $0) }
    }

    /// A pattern that begins as a GGUF file does, for downloads that look at the magic.
    public static func gguf(seed: UInt64, count: Int64) -> ServerContent {
        pattern(seed: seed, count: count).replacing(at: 0, with: Array("GGUF".utf8) + [3, 0, 0, 0])
    }

    /// The bytes of a file, which must stay as it is.
    ///
    /// - Parameter url: The file.
    /// - Returns: Content that reads the file anew for each piece.
    /// - Throws: What Foundation throws when the file cannot be read.
    public static func file(_ url: URL) throws -> ServerContent {
        let handle = try FileHandle(forReadingFrom: url)
        let count = try handle.seekToEnd()
        let position = Locked(handle)
        return ServerContent(count: Int64(count)) { range in
            position.withLock { handle in
                try? handle.seek(toOffset: UInt64(range.lowerBound))
                return [UInt8]((try? handle.read(upToCount: Int(range.upperBound - range.lowerBound))) ?? Data())
            }
        }
    }

    /// The bytes in a range, which is cut to what is there.
    public subscript(range: Range<Int64>) -> [UInt8] {
        let range = range.clamped(to: 0..<count)
        return range.isEmpty ? [] : read(range)
    }

    /// All bytes; keep the content small.
    public var bytes: [UInt8] { self[0..<count] }

    /// The SHA-256 of all bytes, 64 lower-case hexadecimal digits; computed anew each time.
    public var sha256: String {
        var hasher = SHA256Hasher()
        for start in stride(from: 0, to: count, by: 1 << 20) {
            hasher.update(self[start..<start + (1 << 20)])
        }
        return hasher.finish()
    }

    /// The bytes of a range, as content of its own.
    public func slice(_ range: Range<Int64>) -> ServerContent {
        let range = range.clamped(to: 0..<count)
        return ServerContent(count: range.upperBound - range.lowerBound) { [self] part in
            self[range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound]
        }
    }

    /// The content with other bytes at one place; the count stays.
    public func replacing(at offset: Int64, with replacement: [UInt8]) -> ServerContent {
        ServerContent(count: count) { [self] range in
            var bytes = self[range]
            let changed = range.clamped(to: offset..<offset + Int64(replacement.count))
            for position in changed {
                bytes[Int(position - range.lowerBound)] = replacement[Int(position - offset)]
            }
            return bytes
        }
    }

    /// The content with more bytes behind it.
    public func appending(_ more: ServerContent) -> ServerContent {
        ServerContent(count: count + more.count) { [self] range in
            self[range] + more[max(range.lowerBound - count, 0)..<max(range.upperBound - count, 0)]
        }
    }
}

/// A table of bytes that is repeated for ever; its length is a prime, so that it never agrees with a power of two.
private final class PatternTable: Sendable {
    private static let length = 65_521
    private let table: [UInt8]

    init(seed: UInt64) {
        var state = seed
        var table: [UInt8] = []
        table.reserveCapacity(Self.length + 8)
        while table.count < Self.length {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            withUnsafeBytes(of: state >> 24) { table.append(contentsOf: $0.prefix(5)) }
        }
        self.table = Array(table.prefix(Self.length))
    }

    func bytes(in range: Range<Int64>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(range.upperBound - range.lowerBound))
        var position = range.lowerBound
        while position < range.upperBound {
            let start = Int(position % Int64(Self.length))
            let end = min(Self.length, start + Int(range.upperBound - position))
            bytes.append(contentsOf: table[start..<end])
            position += Int64(end - start)
        }
        return bytes
    }
}
