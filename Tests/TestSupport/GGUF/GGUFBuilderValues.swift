extension GGUFBuilder {
    /// A metadata value of any type of the format, or of none.
    public indirect enum Value: Sendable, Equatable {
        /// An unsigned 8-bit number.
        case uint8(UInt8)
        /// A signed 8-bit number.
        case int8(Int8)
        /// An unsigned 16-bit number.
        case uint16(UInt16)
        /// A signed 16-bit number.
        case int16(Int16)
        /// An unsigned 32-bit number.
        case uint32(UInt32)
        /// A signed 32-bit number.
        case int32(Int32)
        /// A 32-bit float.
        case float32(Float)
        /// A truth value; the byte should be 0 or 1.
        case bool(UInt8)
        /// A string.
        case string(String)
        /// A string of any bytes.
        case bytes([UInt8])
        /// An unsigned 64-bit number.
        case uint64(UInt64)
        /// A signed 64-bit number.
        case int64(Int64)
        /// A 64-bit float.
        case float64(Double)
        /// An array; the elements should have the type whose number comes first.
        case array(type: UInt32, [Value])
        /// An array that announces a number of elements and has those of the payload.
        case hugeArray(type: UInt32, count: UInt64, payload: [UInt8])
        /// A string that announces a length and has the bytes of the payload.
        case hugeString(length: UInt64, payload: [UInt8])
        /// Any type number, followed by any bytes.
        case raw(type: UInt32, payload: [UInt8])

        /// An array of strings.
        public static func strings(_ texts: [String]) -> Value { .array(type: 8, texts.map(Value.string)) }

        /// An array of signed 32-bit numbers.
        public static func int32s(_ numbers: [Int32]) -> Value { .array(type: 5, numbers.map(Value.int32)) }

        /// Arrays inside arrays, `depth` of them, with one number in the innermost.
        public static func nested(depth: Int) -> Value {
            (1..<max(depth, 1)).reduce(.array(type: 0, [.uint8(7)])) { inner, _ in .array(type: 9, [inner]) }
        }

        /// The number of the type in the format.
        public var typeNumber: UInt32 {
            switch self {
            case .uint8: 0
            case .int8: 1
            case .uint16: 2
            case .int16: 3
            case .uint32: 4
            case .int32: 5
            case .float32: 6
            case .bool: 7
            case .string, .bytes, .hugeString: 8
            case .array, .hugeArray: 9
            case .uint64: 10
            case .int64: 11
            case .float64: 12
            case .raw(let type, _): type
            }
        }
    }

    /// A tensor with its data.
    public struct Tensor: Sendable, Equatable {
        /// The name, which may be any sequence of bytes.
        public var name: [UInt8]

        /// The extents, the row length first.
        public var dimensions: [UInt64]

        /// The number of the data type: 0 is F32, 2 is Q4_0.
        public var type: UInt32

        /// The data, which should fit dimensions and type.
        public var data: [UInt8]

        /// A number of dimensions to write instead of the true one.
        public var declaredDimensionCount: UInt32?

        /// An offset to write instead of the true one.
        public var declaredOffset: UInt64?

        /// Creates a tensor of any type with the given data.
        public init(_ name: String, dimensions: [UInt64], type: UInt32, data: [UInt8]) {
            self.name = Array(name.utf8)
            self.dimensions = dimensions
            self.type = type
            self.data = data
        }

        /// A tensor of 32-bit zeros.
        public static func float32(_ name: String, dimensions: [UInt64]) -> Tensor {
            let count = dimensions.reduce(1, *)
            return Tensor(name, dimensions: dimensions, type: 0, data: [UInt8](repeating: 0, count: Int(count) * 4))
        }
    }
}

extension GGUFBuilder {
    /// Appends numbers in the byte order of a file.
    struct Writer {
        let isBigEndian: Bool
        var bytes: [UInt8] = []

        init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

        mutating func number<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: isBigEndian ? number.bigEndian : number.littleEndian) { bytes += $0 }
        }

        mutating func text(_ text: [UInt8]) {
            number(UInt64(text.count))
            bytes += text
        }

        mutating func typed(_ value: Value) {
            number(value.typeNumber)
            plain(value)
        }

        private mutating func plain(_ value: Value) {
            switch value {
            case .uint8(let value), .bool(let value): number(value)
            case .int8(let value): number(value)
            case .uint16(let value): number(value)
            case .int16(let value): number(value)
            case .uint32(let value): number(value)
            case .int32(let value): number(value)
            case .float32(let value): number(value.bitPattern)
            case .string(let value): text(Array(value.utf8))
            case .bytes(let value): text(value)
            case .uint64(let value): number(value)
            case .int64(let value): number(value)
            case .float64(let value): number(value.bitPattern)
            case .array(let type, let elements):
                number(type)
                number(UInt64(elements.count))
                for element in elements { plain(element) }
            case .hugeArray(let type, let count, let payload):
                number(type)
                number(count)
                bytes += payload
            case .hugeString(let length, let payload):
                number(length)
                bytes += payload
            case .raw(_, let payload): bytes += payload
            }
        }
    }
}
