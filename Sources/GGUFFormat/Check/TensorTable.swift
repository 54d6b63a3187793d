/// One row of a tensor table whose numbers are known to be sound.
struct TensorEntry {
    /// The bytes of the name; text is made of them only for messages.
    let name: [UInt8]
    let elementCount: UInt64
    let byteCount: UInt64

    /// Where the data begins, counted from the start of the data section.
    let offset: UInt64
}

/// Reads a tensor table row by row and refuses what cannot be a tensor.
struct TensorTable: ~Copyable {
    static let maximumNameBytes: UInt64 = 63
    static let maximumDimensions: UInt32 = 4

    private var ledger = NameLedger()

    mutating func next(_ cursor: inout ByteCursor) throws(GGUFReaderError) -> TensorEntry {
        let name = try readName(&cursor)
        let shape = try readShape(&cursor, name)
        let typeNumber = try cursor.load(UInt32.self)
        guard let type = TensorType.numbered(typeNumber) else {
            throw Self.refusal(name, "has the unknown data type \(typeNumber)")
        }
        guard shape.rowLength.isMultiple(of: type.elements) else {
            throw Self.refusal(
                name, "has rows of \(shape.rowLength) elements, no multiple of the \(type.elements) of \(type.name)")
        }
        let (bytes, overflow) = (shape.elementCount / type.elements).multipliedReportingOverflow(by: type.bytes)
        if overflow { throw Self.refusal(name, "is too large") }
        return TensorEntry(
            name: name, elementCount: shape.elementCount, byteCount: bytes, offset: try cursor.load(UInt64.self))
    }

    private mutating func readName(_ cursor: inout ByteCursor) throws(GGUFReaderError) -> [UInt8] {
        let length = try cursor.stringLength(field: "tensor name length")
        let name = try cursor.bytes(min(length, Self.maximumNameBytes + 1))
        guard length <= Self.maximumNameBytes else {
            throw Self.refusal(name, "has a name of \(length) bytes; names have at most 63")
        }
        // The runtime cuts names at a zero byte, which would make different names equal.
        guard !name.contains(0) else { throw Self.refusal(name, "has a zero byte in its name") }
        guard try ledger.insert(name) else { throw Self.refusal(name, "occurs twice") }
        return name
    }

    private func readShape(
        _ cursor: inout ByteCursor, _ name: [UInt8]
    ) throws(GGUFReaderError) -> (rowLength: UInt64, elementCount: UInt64) {
        let dimensions = try cursor.load(UInt32.self)
        guard (1...Self.maximumDimensions).contains(dimensions) else {
            throw Self.refusal(name, "has \(dimensions) dimensions instead of 1 to 4")
        }
        var rowLength: UInt64 = 0
        var total: UInt64 = 1
        for dimension in 0..<dimensions {
            let extent = try cursor.load(UInt64.self)
            if extent == 0 { throw Self.refusal(name, "has no elements") }
            if dimension == 0 { rowLength = extent }
            let (product, overflow) = total.multipliedReportingOverflow(by: extent)
            guard !overflow, product <= UInt64(Int64.max) else { throw Self.refusal(name, "has too many elements") }
            total = product
        }
        return (rowLength, total)
    }

    static func refusal(_ name: [UInt8], _ reason: String) -> GGUFReaderError {
        .malformed("the tensor \(String(quoting: name)) \(reason).")
    }
}
