/// Reads what `ByteWriter` wrote, from bytes that may be anything.
///
/// Every length is checked against the bytes left before it is used.
struct ByteReader {
    /// The bytes are not what a writer makes.
    struct Malformed: Error {}

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    /// The bytes must outlive the reader.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var remaining: Int { bytes.count - position }

    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type = Number.self
    ) throws(Malformed) -> Number {
        Number(littleEndian: try raw(Number.self))
    }

    /// Bytes that are a value whatever they are.
    mutating func raw<Value: BitwiseCopyable>(_ type: Value.Type) throws(Malformed) -> Value {
        guard MemoryLayout<Value>.size <= remaining else { throw Malformed() }
        defer { position += MemoryLayout<Value>.size }
        return bytes.loadUnaligned(fromByteOffset: position, as: Value.self)
    }

    mutating func double() throws(Malformed) -> Double { Double(bitPattern: try number()) }

    mutating func flag() throws(Malformed) -> Bool {
        switch try number(UInt8.self) {
        case 0: false
        case 1: true
        default: throw Malformed()
        }
    }

    mutating func text() throws(Malformed) -> String {
        let count = Int(try number(UInt32.self))
        guard count <= remaining else { throw Malformed() }
        defer { position += count }
        return String(decoding: bytes[position..<position + count], as: UTF8.self)
    }

    mutating func optional<Value>(
        _ read: (inout ByteReader) throws(Malformed) -> Value
    ) throws(Malformed) -> Value? {
        try flag() ? try read(&self) : nil
    }

    /// Reads a list; an element has at least one byte.
    mutating func list<Element>(
        _ read: (inout ByteReader) throws(Malformed) -> Element
    ) throws(Malformed) -> [Element] {
        let count = Int(try number(UInt32.self))
        guard count <= remaining else { throw Malformed() }
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try read(&self)) }
        return elements
    }
}
