public import Foundation

/// Any JSON value, with whole numbers told from fractions and the order of keys kept.
///
/// ```swift
/// let point: LLMJSONValue = ["x": 1, "y": 2.5]
/// let same = try LLMJSONValue(jsonString: #"{"y":2.5,"x":1}"#) == point   // true: order does not matter
/// ```
public enum LLMJSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without fraction and exponent, within 64 bits.
    case int(Int64)
    /// Any other number.
    case double(Double)
    /// Text.
    case string(String)
    /// A list.
    case array([LLMJSONValue])
    /// Names with values.
    case object(LLMJSONObject)

    /// Reads one JSON value by RFC 8259, with nothing but white space around it.
    ///
    /// Of equal keys the last value counts, at the place of the first. A lone surrogate escape becomes U+FFFD.
    ///
    /// - Parameter jsonString: The text to read.
    /// - Throws: `DecodingError.dataCorrupted` naming the problem and its byte offset; also for nesting deeper than
    ///   512 and for numbers beyond the range of `Double`.
    public init(jsonString: String) throws {
        var text = jsonString
        self = try text.withUTF8 { try JSONParser.parse($0) }
    }

    /// Reads one JSON value by RFC 8259 from UTF-8 bytes, see ``init(jsonString:)``.
    ///
    /// - Parameter jsonData: The bytes to read.
    /// - Throws: `DecodingError.dataCorrupted` naming the problem and its byte offset; also for invalid UTF-8.
    public init(jsonData: Data) throws {
        self = try jsonData.withUnsafeBytes { raw in
            let bytes = raw.bindMemory(to: UInt8.self)
            if let offset = UTF8Sequence.firstInvalidOffset(in: bytes) {
                throw JSONParser.syntaxError("invalid UTF-8", at: offset)
            }
            return try JSONParser.parse(bytes)
        }
    }

    /// The value as JSON, always valid: compact or indented by two spaces, keys in their order or sorted.
    ///
    /// Slashes and non-ASCII characters are not escaped, numbers that are not finite are written as `null`.
    public func jsonString(prettyPrinted: Bool = false, sortedKeys: Bool = false) -> String {
        var writer = JSONWriter(prettyPrinted: prettyPrinted, sortedKeys: sortedKeys)
        return writer.write(self)
    }
}
