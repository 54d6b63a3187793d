import Foundation

/// Turns the answer of a generation into a value of its type.
package enum StructuredDecoding {
    /// Decodes the answer of a generation, which has to be one whole JSON value and nothing else.
    ///
    /// The thinking is not looked at.
    ///
    /// - Parameters:
    ///   - type: The type that was asked for.
    ///   - result: What was generated.
    ///   - schema: What the answer has to follow as well, if anything.
    /// - Returns: The value.
    /// - Throws: ``LLMEngineError/structuredOutputInvalid(_:)`` for an answer that is cut off, no JSON, not as the
    ///   schema says or no value of the type.
    package static func decode<T: Decodable>(
        _ type: T.Type, from result: LLMGenerationResult, schema: LLMJSONValue? = nil
    ) throws -> T {
        let text = result.finalText
        if result.stopReason.isLimit, isOpenNumber(text) {
            throw failure("the number may be cut off (\(result.stopReason.rawValue))", in: text)
        }
        if let schema, let value = try? LLMJSONValue(jsonString: text) {
            let violations = LLMJSONSchemaValidator.violations(of: value, against: schema)
            guard violations.isEmpty else { throw failure(violations.joined(separator: "; "), in: text) }
        }
        do {
            return try LocalLLMJSON.decode(type, strictly: text)
        } catch {
            let isCutOff = result.stopReason.isLimit && (try? LLMJSONValue(jsonString: text)) == nil
            throw failure(
                isCutOff
                    ? "the answer was cut off (\(result.stopReason.rawValue))" : LocalLLMJSON.problem(of: error),
                in: text)
        }
    }

    /// Whether the text is a bare number that might have gone on.
    private static func isOpenNumber(_ text: String) -> Bool {
        switch try? LLMJSONValue(jsonString: text) {
        case .int, .double: text.last?.isWholeNumber ?? false
        default: false
        }
    }

    private static func failure(_ problem: String, in text: String) -> LLMEngineError {
        .structuredOutputInvalid("\(problem), in \(LLMResponsePreview.describe(text))")
    }
}
