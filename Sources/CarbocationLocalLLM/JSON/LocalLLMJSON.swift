public import Foundation

/// The package's settings for Foundation's JSON coders.
public enum LocalLLMJSON {
    /// A decoder that reads dates as ISO 8601, with or without fractions of a second.
    public static func makeDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            // Not on all platforms does one style read both forms.
            let styles = [true, false].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
            for style in styles {
                if let date = try? style.parse(text) { return date }
            }
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Expected a date in ISO 8601, such as 2026-01-31T12:00:00Z.")
        }
        return decoder
    }

    /// An encoder that indents, sorts keys, leaves slashes as they are and writes dates as ISO 8601.
    public static func makePrettyEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// A value as indented JSON with sorted keys.
    ///
    /// - Parameter value: The value to encode.
    /// - Returns: The JSON.
    /// - Throws: `EncodingError`, for example for a number that is not finite.
    public static func prettyPrintedString<T: Encodable>(from value: T) throws -> String {
        String(decoding: try makePrettyEncoder().encode(value), as: UTF8.self)
    }
}

extension LocalLLMJSON {
    /// Decodes a value from JSON by the rules of ``LLMJSONValue/init(jsonString:)``, which are the same everywhere.
    ///
    /// Foundation's decoder alone takes trailing commas on some platforms and refuses escapes of lone surrogates,
    /// which are valid.
    static func decode<T: Decodable>(_ type: T.Type, strictly text: String) throws -> T {
        let value = try LLMJSONValue(jsonString: text)
        let decoder = makeDecoder()
        do {
            return try decoder.decode(type, from: Data(text.utf8))
        } catch {
            guard text.contains("\\u") else { throw error }
            return try decoder.decode(type, from: Data(value.jsonString().utf8))
        }
    }

    /// What a coder complains about and where, for people.
    static func problem(of error: any Error) -> String {
        let (context, subject): (DecodingError.Context, String)
        switch error {
        case DecodingError.keyNotFound(let key, let found): (context, subject) = (found, "no key \(key.stringValue)")
        case DecodingError.typeMismatch(let type, let found), DecodingError.valueNotFound(let type, let found):
            (context, subject) = (found, "no \(type)")
        case DecodingError.dataCorrupted(let found): (context, subject) = (found, found.debugDescription)
        default: return String(describing: error)
        }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? subject : "\(subject) at \(path)"
    }
}
