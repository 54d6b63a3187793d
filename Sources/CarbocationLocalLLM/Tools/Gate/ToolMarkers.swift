/// The pieces that a template puts around tool calls, as llama.cpp's template analysis finds them.
///
/// Empty strings stand for pieces that the template does not use.
package struct ToolMarkers: Sendable, Hashable {
    /// What a call looks like.
    package enum Mode: String, Sendable, Hashable {
        /// The template knows no calls.
        case none = "NONE"
        /// A JSON object with name and arguments.
        case jsonNative = "JSON_NATIVE"
        /// The name in tags, the arguments as a JSON object.
        case tagWithJSON = "TAG_WITH_JSON"
        /// The name and each argument in tags.
        case tagWithTagged = "TAG_WITH_TAGGED"
    }

    /// Where the id of a call stands in formats that are not JSON.
    package enum CallIDPosition: String, Sendable, Hashable {
        case none = "NONE"
        case beforeName = "PRE_FUNC_NAME"
        case betweenNameAndArguments = "BETWEEN_FUNC_AND_ARGS"
        case afterArguments = "POST_ARGS"
    }

    package var mode: Mode = .none
    /// Around all calls of a turn.
    package var sectionStart = ""
    package var sectionEnd = ""
    /// Around each call.
    package var perCallStart = ""
    package var perCallEnd = ""
    /// Whether calls are written as `{"name": {arguments}}`.
    package var nameIsKey = false
    /// Whether the calls are a JSON array.
    package var isArrayWrapped = false
    package var functionField = "function"
    package var nameField = "name"
    package var argumentsField = "arguments"
    package var idField = ""
    package var generatedIDField = ""

    package var namePrefix = ""
    package var nameSuffix = ""
    package var argumentsSeparator = ""
    package var functionClose = ""

    package var argumentsStart = ""
    package var argumentsEnd = ""
    package var argumentNamePrefix = ""
    package var argumentNameSuffix = ""
    package var argumentValuePrefix = ""
    package var argumentValueSuffix = ""
    package var argumentSeparator = ""

    package var callIDPosition: CallIDPosition = .none
    package var callIDPrefix = ""
    package var callIDSuffix = ""

    package init() {}
}

extension ToolMarkers {
    /// Reads the analysis from its JSON: objects `format`, `function`, `arguments` and `call_id` with the names of
    /// llama.cpp's fields.
    ///
    /// Missing fields keep their defaults; nil if the value is no object.
    package init?(_ json: LLMJSONValue) {
        guard json.objectValue != nil else { return nil }
        readFormat(json.value(forKey: "format") ?? .null)
        readFunction(json.value(forKey: "function") ?? .null)
        readArguments(json.value(forKey: "arguments") ?? .null)
        readCallID(json.value(forKey: "call_id") ?? .null)
    }

    private mutating func readFormat(_ json: LLMJSONValue) {
        mode = json.string(forKey: "mode").flatMap(Mode.init(rawValue:)) ?? mode
        read("section_start", of: json, into: &sectionStart)
        read("section_end", of: json, into: &sectionEnd)
        read("per_call_start", of: json, into: &perCallStart)
        read("per_call_end", of: json, into: &perCallEnd)
        nameIsKey = json.value(forKey: "fun_name_is_key")?.boolValue ?? nameIsKey
        isArrayWrapped = json.value(forKey: "tools_array_wrapped")?.boolValue ?? isArrayWrapped
        read("function_field", of: json, into: &functionField)
        read("name_field", of: json, into: &nameField)
        read("args_field", of: json, into: &argumentsField)
        read("id_field", of: json, into: &idField)
        read("gen_id_field", of: json, into: &generatedIDField)
    }

    private mutating func readFunction(_ json: LLMJSONValue) {
        read("name_prefix", of: json, into: &namePrefix)
        read("name_suffix", of: json, into: &nameSuffix)
        read("args_separator", of: json, into: &argumentsSeparator)
        read("close", of: json, into: &functionClose)
    }

    private mutating func readArguments(_ json: LLMJSONValue) {
        read("start", of: json, into: &argumentsStart)
        read("end", of: json, into: &argumentsEnd)
        read("name_prefix", of: json, into: &argumentNamePrefix)
        read("name_suffix", of: json, into: &argumentNameSuffix)
        read("value_prefix", of: json, into: &argumentValuePrefix)
        read("value_suffix", of: json, into: &argumentValueSuffix)
        read("separator", of: json, into: &argumentSeparator)
    }

    private mutating func readCallID(_ json: LLMJSONValue) {
        callIDPosition = json.string(forKey: "pos").flatMap(CallIDPosition.init(rawValue:)) ?? callIDPosition
        read("prefix", of: json, into: &callIDPrefix)
        read("suffix", of: json, into: &callIDSuffix)
    }

    private func read(_ key: String, of json: LLMJSONValue, into field: inout String) {
        if let text = json.string(forKey: key) { field = text }
    }
}
