/// The type of a metadata value, with the number that stands for it in a file.
package enum GGUFValueType: UInt32, Sendable, CaseIterable {
    case uint8 = 0
    case int8 = 1
    case uint16 = 2
    case int16 = 3
    case uint32 = 4
    case int32 = 5
    case float32 = 6
    case bool = 7
    case string = 8
    case array = 9
    case uint64 = 10
    case int64 = 11
    case float64 = 12

    /// Bytes of one value; nil for strings and arrays, whose size depends on their contents.
    package var fixedSize: UInt64? {
        switch self {
        case .uint8, .int8, .bool: 1
        case .uint16, .int16: 2
        case .uint32, .int32, .float32: 4
        case .uint64, .int64, .float64: 8
        case .string, .array: nil
        }
    }

    /// The fewest bytes a value of this type can take: an empty string is its length, an empty array its two headers.
    package var minimumSize: UInt64 {
        switch self {
        case .string: 8
        case .array: 12
        default: fixedSize ?? 0
        }
    }
}
