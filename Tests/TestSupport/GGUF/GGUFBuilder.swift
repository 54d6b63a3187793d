public import Foundation

/// Writes GGUF files for tests, sound ones and every kind of damaged one.
///
/// Keys and tensors are written in the order they were added, duplicates included. Counts, lengths, types and offsets
/// are computed unless a test sets them to something else.
///
/// ```swift
/// var builder = GGUFBuilder()
/// builder.add("general.architecture", .string("llama"))
/// builder.add("llama.context_length", .uint32(32_768))
/// builder.add(.float32("token_embd.weight", dimensions: [4, 2]))
/// try builder.write(to: url)
/// ```
public struct GGUFBuilder: Sendable {
    /// The version number in the header.
    public var version: UInt32

    /// Whether all numbers are written with their most significant byte first.
    public var isBigEndian: Bool

    /// The multiple of bytes to which tensor data is padded; it is not written as a key.
    public var alignment = 32

    /// The four bytes that begin the file.
    public var magic: [UInt8] = Array("GGUF".utf8)

    /// A tensor count to write instead of the true one.
    public var declaredTensorCount: UInt64?

    /// A key-value count to write instead of the true one.
    public var declaredKeyValueCount: UInt64?

    /// Bytes written after everything else.
    public var trailingBytes: [UInt8] = []

    /// The key-values, in file order.
    public private(set) var keyValues: [(key: [UInt8], value: Value)] = []

    /// The tensors, in file order.
    public private(set) var tensors: [Tensor] = []

    /// Creates an empty file.
    public init(version: UInt32 = 3, isBigEndian: Bool = false) {
        self.version = version
        self.isBigEndian = isBigEndian
    }

    /// Adds a key-value, of a key that may be there already.
    public mutating func add(_ key: String, _ value: Value) {
        keyValues.append((Array(key.utf8), value))
    }

    /// Adds a key-value whose key is any sequence of bytes.
    public mutating func add(keyBytes: [UInt8], _ value: Value) {
        keyValues.append((keyBytes, value))
    }

    /// Adds a tensor, of a name that may be there already.
    public mutating func add(_ tensor: Tensor) {
        tensors.append(tensor)
    }

    /// The file with one more key-value.
    public func adding(_ key: String, _ value: Value) -> GGUFBuilder {
        var copy = self
        copy.add(key, value)
        return copy
    }

    /// The file with one more tensor.
    public func adding(_ tensor: Tensor) -> GGUFBuilder {
        var copy = self
        copy.add(tensor)
        return copy
    }

    /// The bytes of the file.
    public func bytes() -> [UInt8] {
        var writer = Writer(isBigEndian: isBigEndian)
        writer.bytes += magic
        writer.number(version)
        writer.number(declaredTensorCount ?? UInt64(tensors.count))
        writer.number(declaredKeyValueCount ?? UInt64(keyValues.count))
        for (key, value) in keyValues {
            writer.text(key)
            writer.typed(value)
        }
        writeTensors(to: &writer)
        return writer.bytes + trailingBytes
    }

    /// The bytes of the file as data.
    public func data() -> Data { Data(bytes()) }

    /// Writes the file, replacing one that is already there.
    public func write(to url: URL) throws { try data().write(to: url) }

    private func writeTensors(to writer: inout Writer) {
        var section: [UInt8] = []
        for tensor in tensors {
            writer.text(tensor.name)
            writer.number(tensor.declaredDimensionCount ?? UInt32(tensor.dimensions.count))
            for dimension in tensor.dimensions { writer.number(dimension) }
            writer.number(tensor.type)
            writer.number(tensor.declaredOffset ?? UInt64(section.count))
            section += tensor.data
            section += padding(after: section.count)
        }
        if !tensors.isEmpty { writer.bytes += padding(after: writer.bytes.count) }
        writer.bytes += section
    }

    private func padding(after count: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: (alignment - count % alignment) % alignment)
    }
}
