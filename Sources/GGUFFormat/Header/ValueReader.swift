/// Reads or steps over one metadata value.
struct ValueReader {
    static let maximumDepth = 4

    let key: String
    let capture: GGUFCapture

    /// Refuses what the format allows but the model runtime does not: nested arrays, and lengths of 2^30 and more.
    let isForRuntime: Bool

    private static let runtimeLengthLimit: UInt64 = 1 << 30

    // MARK: Stepping over

    func skip(_ type: GGUFValueType, _ cursor: inout ByteCursor, depth: Int = 1) throws(GGUFReaderError) {
        switch type {
        case .bool:
            _ = try bool(&cursor)
        case .string:
            try cursor.skip(try stringLength(&cursor))
        case .array:
            let header = try arrayHeader(&cursor, depth: depth)
            try skipElements(header.elementType, header.count, &cursor, depth: depth)
        default:
            try cursor.skip(type.minimumSize)
        }
    }

    private func skipElements(
        _ type: GGUFValueType, _ count: UInt64, _ cursor: inout ByteCursor, depth: Int
    ) throws(GGUFReaderError) {
        if let size = type.fixedSize {
            // The array's header was accepted only because this product fits into the file.
            try cursor.skip(count * size)
        } else if type == .string {
            try cursor.skipStrings(count, field: stringField)
        } else {
            for _ in 0..<count { try skip(type, &cursor, depth: depth + 1) }
        }
    }

    // MARK: Reading

    /// The value, or nil when it is larger than what may be kept; the cursor then stands behind it all the same.
    func read(
        _ type: GGUFValueType, _ cursor: inout ByteCursor, budget: inout CaptureBudget, depth: Int = 1
    ) throws(GGUFReaderError) -> GGUFValue? {
        switch type {
        case .string:
            try string(&cursor, budget: &budget).map { .string($0) }
        case .array:
            .array(try array(&cursor, budget: &budget, depth: depth))
        default:
            try number(type, &cursor)
        }
    }

    private func number(
        _ type: GGUFValueType, _ cursor: inout ByteCursor
    ) throws(GGUFReaderError) -> GGUFValue? {
        switch type {
        case .uint8: .uint8(try cursor.load())
        case .int8: .int8(try cursor.load())
        case .uint16: .uint16(try cursor.load())
        case .int16: .int16(try cursor.load())
        case .uint32: .uint32(try cursor.load())
        case .int32: .int32(try cursor.load())
        case .float32: .float32(Float(bitPattern: try cursor.load()))
        case .bool: .bool(try bool(&cursor))
        case .uint64: .uint64(try cursor.load())
        case .int64: .int64(try cursor.load())
        case .float64: .float64(Double(bitPattern: try cursor.load()))
        case .string, .array: nil
        }
    }

    private func bool(_ cursor: inout ByteCursor) throws(GGUFReaderError) -> Bool {
        let byte = try cursor.load(UInt8.self)
        guard byte <= 1 else {
            throw .malformed("the key \(key.quotedForMessage) is a truth value of \(byte) instead of 0 or 1.")
        }
        return byte == 1
    }

    private func string(
        _ cursor: inout ByteCursor, budget: inout CaptureBudget
    ) throws(GGUFReaderError) -> String? {
        let length = try stringLength(&cursor)
        guard length <= capture.maximumStringBytes, budget.take(length) else {
            try cursor.skip(length)
            return nil
        }
        return try cursor.text(length)
    }

    private func array(
        _ cursor: inout ByteCursor, budget: inout CaptureBudget, depth: Int
    ) throws(GGUFReaderError) -> GGUFArray {
        let (type, count) = try arrayHeader(&cursor, depth: depth)
        let offset = cursor.position
        let (cost, isTooMuch) = count.multipliedReportingOverflow(by: UInt64(MemoryLayout<GGUFValue>.stride))
        guard !isTooMuch, capture.keepsElements(of: key, count: count), budget.take(cost) else {
            try skipElements(type, count, &cursor, depth: depth)
            return GGUFArray(elementType: type, count: count, offset: offset, elements: nil)
        }
        let elements = try elements(type, count, &cursor, budget: &budget, depth: depth)
        return GGUFArray(elementType: type, count: count, offset: offset, elements: elements)
    }

    /// All elements, or nil when one of them is too large to be kept.
    private func elements(
        _ type: GGUFValueType, _ count: UInt64, _ cursor: inout ByteCursor, budget: inout CaptureBudget, depth: Int
    ) throws(GGUFReaderError) -> [GGUFValue]? {
        var elements: [GGUFValue] = []
        for done in 0..<count {
            guard let element = try read(type, &cursor, budget: &budget, depth: depth + 1) else {
                try skipElements(type, count - done - 1, &cursor, depth: depth)
                return nil
            }
            elements.append(element)
        }
        return elements
    }

    // MARK: Lengths

    private func stringLength(_ cursor: inout ByteCursor) throws(GGUFReaderError) -> UInt64 {
        let length = try cursor.stringLength(field: stringField)
        if isForRuntime, length > Self.runtimeLengthLimit {
            throw .malformed("the text of \(key.quotedForMessage) is longer than 1 GiB.")
        }
        return length
    }

    private func arrayHeader(
        _ cursor: inout ByteCursor, depth: Int
    ) throws(GGUFReaderError) -> (elementType: GGUFValueType, count: UInt64) {
        guard depth <= Self.maximumDepth else { throw .nestingTooDeep }
        let type = try Self.type(&cursor)
        if isForRuntime, type == .array {
            throw .malformed("the key \(key.quotedForMessage) is an array of arrays, which no model uses.")
        }
        let count = try cursor.load(UInt64.self)
        try cursor.claim(count, unit: type.minimumSize, field: "array length of \(key.quotedForMessage)")
        if isForRuntime, count > Self.runtimeLengthLimit {
            throw .malformed("the array \(key.quotedForMessage) has more than 2^30 elements.")
        }
        return (type, count)
    }

    private var stringField: String { "text length of \(key.quotedForMessage)" }

    static func type(_ cursor: inout ByteCursor) throws(GGUFReaderError) -> GGUFValueType {
        let number = try cursor.load(UInt32.self)
        guard let type = GGUFValueType(rawValue: number) else { throw .invalidValueType(number) }
        return type
    }
}
