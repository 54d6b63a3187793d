import Foundation

/// A call that a tool cannot answer, told to the model as the call's output.
package struct ToolFailure: Error, Sendable, Hashable {
    /// What kind of failure it is, for programs.
    package var code: String
    /// What is wrong and what helps, for the model.
    package var message: String

    package init(code: String = "invalid_arguments", _ message: String) {
        self.code = code
        self.message = message
    }

    /// The output.
    package var output: LLMJSONValue {
        ["ok": false, "error": ["code": .string(code), "message": .string(message)]]
    }
}

extension ToolFailure: LocalizedError {
    /// The message.
    package var errorDescription: String? { message }
}

extension LLMJSONValue {
    /// The value as a message quotes it: as JSON, cut if it is long.
    package var quoted: String {
        let maximumLength = 64
        switch self {
        case .array: return "a list"
        case .object: return "an object"
        case .string(let text):
            // Characters can be of any length, scalars cannot.
            let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumLength)))
            return LLMJSONValue.string(start.utf8.count < text.utf8.count ? start + "…" : start).jsonString()
        case .null, .bool, .int, .double: return jsonString()
        }
    }
}
