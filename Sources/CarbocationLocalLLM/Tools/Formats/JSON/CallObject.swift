/// A call written as a JSON object.
struct CallObject {
    static let nameKeys = ["name", "tool_name", "function"]
    static let argumentKeys = ["arguments", "args", "parameters"]
    static let idKeys = ["id", "call_id", "tool_call_id"]

    private let object: LLMJSONObject
    /// What stands under `function`, where name and arguments are one level deeper.
    private let inner: LLMJSONObject?

    init(_ object: LLMJSONObject) {
        self.object = object
        inner = object["function"]?.objectValue
    }

    /// The calls in the list of calls that the object wraps; nil if it wraps none.
    static func wrapped(in object: LLMJSONObject) -> [LLMJSONValue]? {
        CallObject(object).name == nil ? object["tool_calls"]?.arrayValue : nil
    }

    var name: String? {
        (inner.map { Self.text(in: $0, Self.nameKeys) } ?? nil) ?? Self.text(in: object, Self.nameKeys)
    }

    var rawID: String? {
        Self.idKeys.lazy.compactMap { object[$0]?.stringValue }.first { !$0.utf8.allSatisfy(\.isSpacing) }
    }

    var arguments: LLMJSONValue? {
        [inner, object].lazy.compactMap { holder in
            Self.argumentKeys.lazy.compactMap { holder?[$0] }.first
        }.first
    }

    var result: ToolCallDecodingResult {
        guard let name else {
            return .failure(.malformed(name: nil, rawID: rawID, reason: "the object names no tool"))
        }
        return DecodedToolCall.decoded(name: name, rawID: rawID, arguments: arguments)
    }

    /// A call with nothing but a key for each tool, whose arguments stand under it.
    var keyedResults: [ToolCallDecodingResult] {
        guard name == nil || arguments == nil else { return [result] }
        return object.pairs.map { DecodedToolCall.decoded(name: $0.key, rawID: nil, arguments: $0.value) }
    }

    private static func text(in object: LLMJSONObject, _ keys: [String]) -> String? {
        for key in keys {
            guard case .string(let text)? = object[key] else { continue }
            if !text.trimmed.isEmpty { return text.trimmed }
        }
        return nil
    }
}
