extension ArgumentsText {
    /// The arguments that a JSON value stands for; nil if it stands for none.
    ///
    /// An object is kept, a string that holds an object is decoded once, and an empty or blank string or `null` is an
    /// empty object, as for tools without parameters. Lists, numbers, booleans and other strings are no arguments.
    package init?(_ value: LLMJSONValue?) {
        switch value {
        case nil: self = .missing
        case .null: self = .json([:])
        case .object: self = .json(value ?? [:])
        case .string(let text) where text.utf8.allSatisfy(\.isSpacing): self = .json([:])
        case .string(let text):
            guard case .object(let object)? = try? LLMJSONValue(jsonString: text) else { return nil }
            self = .json(.object(object))
        case .array, .int, .double, .bool: return nil
        }
    }
}

extension DecodedToolCall {
    static let noObject = "the arguments are no JSON object"

    /// A call with the arguments that a JSON value stands for, or a failure if it stands for none.
    static func decoded(name: String, rawID: String?, arguments: LLMJSONValue?) -> ToolCallDecodingResult {
        guard let arguments = ArgumentsText(arguments) else {
            return .failure(.malformed(name: name, rawID: rawID, reason: noObject))
        }
        return .success(DecodedToolCall(rawID: rawID, name: name, arguments: arguments))
    }
}

extension ToolCallDecodingResult {
    /// The same call as a failure.
    func rejected(because reason: String) -> Self {
        switch self {
        case .success(let call): .failure(.malformed(name: call.name, rawID: call.rawID, reason: reason))
        case .failure: self
        }
    }
}
