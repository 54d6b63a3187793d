/// A decoded metadata value.
package enum GGUFValue: Sendable, Equatable {
    case uint8(UInt8)
    case int8(Int8)
    case uint16(UInt16)
    case int16(Int16)
    case uint32(UInt32)
    case int32(Int32)
    case float32(Float)
    case bool(Bool)
    case string(String)
    case array(GGUFArray)
    case uint64(UInt64)
    case int64(Int64)
    case float64(Double)
}

/// An array of a file: always its shape, its elements only where the caller asked for them.
package struct GGUFArray: Sendable, Equatable {
    package let elementType: GGUFValueType
    package let count: UInt64

    /// Where the first element begins, in bytes from the start of the file.
    package let offset: UInt64

    /// The elements, or nil when the array was skipped.
    package let elements: [GGUFValue]?

    package init(elementType: GGUFValueType, count: UInt64, offset: UInt64, elements: [GGUFValue]?) {
        self.elementType = elementType
        self.count = count
        self.offset = offset
        self.elements = elements
    }
}

extension GGUFValue {
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var array: GGUFArray? {
        if case .array(let array) = self { array } else { nil }
    }

    /// The texts of an array of strings; nil for other types and for an array that was skipped.
    package var strings: [String]? {
        guard let array, array.elementType == .string, let elements = array.elements else { return nil }
        return elements.compactMap(\.string)
    }

    /// The value of any integer type; nil for other types and for numbers beyond `Int`.
    package var integer: Int? {
        switch self {
        case .uint8(let number): Int(number)
        case .int8(let number): Int(number)
        case .uint16(let number): Int(number)
        case .int16(let number): Int(number)
        case .uint32(let number): Int(exactly: number)
        case .int32(let number): Int(number)
        case .uint64(let number): Int(exactly: number)
        case .int64(let number): Int(exactly: number)
        case .float32, .bool, .string, .array, .float64: nil
        }
    }

    /// The value of a 32- or 64-bit integer type; nil for narrower integers and everything else.
    package var wideInteger: Int? {
        switch self {
        case .uint32, .int32, .uint64, .int64: integer
        default: nil
        }
    }

    /// A finite number of any integer or float type.
    ///
    /// A 32-bit float becomes the double with the same shortest decimal form, so that 0.95 stays 0.95.
    package var finiteNumber: Double? {
        switch self {
        case .float32(let number): number.isFinite ? Double(number.description) : nil
        case .float64(let number): number.isFinite ? number : nil
        default: integer.map(Double.init)
        }
    }
}
