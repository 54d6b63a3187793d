import CarbocationLocalLLM

/// What binds the calls of a reply to the tools' schemas.
struct ToolGrammar: Sendable, Hashable {
    /// GBNF.
    var text: String
    var start: GrammarStart
    /// The texts with which a call may begin, for a grammar that waits for one.
    var openers: [String] = []

    /// The grammar for a reply; nil when only the finished calls can be checked.
    ///
    /// - Parameters:
    ///   - offer: The tools.
    ///   - syntax: How calls are written.
    ///   - format: What llama.cpp found out about the template, with these tools.
    ///   - answerStart: From where on a grammar of the answer applies.
    /// - Throws: ``LLMToolError/unsupportedToolMode(_:)`` when a call is required and nothing can enforce that.
    init?(_ offer: ToolOffer, syntax: ToolCallSyntax, format: ChatFormat, answerStart: GrammarStart) throws {
        if Self.isPlainJSON(syntax, format) {
            try self.init(plainJSON: offer, syntax: syntax, format: format, answerStart: answerStart)
        } else if !format.grammar.isEmpty {
            self.init(offer, format: format, answerStart: answerStart)
        } else if offer.isCallRequired {
            throw LLMToolError.unsupportedToolMode(
                "Calls of this model cannot be enforced: its template gives no grammar for them. Use the choice “auto”."
            )
        } else {
            return nil
        }
    }

    /// Whether a grammar for calls alone can be that of an answer that has to be a call.
    ///
    /// Some of llama.cpp's admit no call at all, or only the marker behind the last one.
    static func canRequireCalls(_ syntax: ToolCallSyntax, format: ChatFormat) -> Bool {
        if isPlainJSON(syntax, format) { return true }
        guard !format.callOpeners.isEmpty else { return false }
        let callLess = [""] + syntax.sectionClosers + syntax.envelopes.flatMap(\.closers)
        return !callLess.contains { (try? NativeGrammar.matches($0, format.callGrammar)) ?? true }
    }

    private static func isPlainJSON(_ syntax: ToolCallSyntax, _ format: ChatFormat) -> Bool {
        syntax.acceptsWrapper || (syntax.acceptsBareCalls && format.callOpeners.isEmpty)
    }

    /// The grammar that llama.cpp made of the template and the tools.
    private init?(_ offer: ToolOffer, format: ChatFormat, answerStart: GrammarStart) {
        text = format.callGrammar
        openers = format.callOpeners
        if !format.grammarLazy {
            start = .behindPrompt(format.generationPrompt)
        } else if openers.isEmpty {
            return nil
        } else {
            start = offer.isCallRequired ? answerStart : .atCall
        }
    }

    /// The grammar of calls that are plain JSON.
    private init(
        plainJSON offer: ToolOffer, syntax: ToolCallSyntax, format: ChatFormat, answerStart: GrammarStart
    ) throws {
        let analysed = syntax.family == .analysed ? format.toolMarkers : nil
        let name = analysed?.nameField ?? "name"
        let key = analysed?.argumentsField ?? (syntax.family == .llama ? "parameters" : "arguments")
        let place = syntax.acceptsWrapper ? "#/properties/tool_calls/items" : "#"
        let calls = offer.tools.enumerated().map { index, tool in
            let arguments = Self.schema(of: tool, at: "\(place)/anyOf/\(index)/properties/\(key)")
            return Self.object([(name, ["const": .string(tool.name)]), (key, arguments)])
        }
        let call: LLMJSONValue = ["anyOf": .array(calls)]
        let wrapper = Self.object([("tool_calls", ["type": "array", "items": call, "minItems": 1])])
        text = try NativeGrammar.text(of: syntax.acceptsWrapper ? wrapper : call)
        start = offer.isCallRequired ? answerStart : .atCall
        let first = syntax.acceptsWrapper ? "tool_calls" : name
        openers = ["", " ", "\n", "\n  ", "\n    ", "\n\t"].map { "{\($0)\"\(first)\"" }
    }

    /// A tool's schema with its references pointing into the place where it stands; any object if no grammar can
    /// express it, because arguments are checked anyway.
    private static func schema(of tool: LLMToolDefinition, at place: String) -> LLMJSONValue {
        guard (try? NativeGrammar.text(of: tool.parameters)) != nil else { return ["type": "object"] }
        return rebased(tool.parameters, to: place)
    }

    private static func rebased(_ schema: LLMJSONValue, to place: String) -> LLMJSONValue {
        guard let object = schema.objectValue else {
            return schema.arrayValue.map { .array($0.map { rebased($0, to: place) }) } ?? schema
        }
        return .object(
            LLMJSONObject(
                object.pairs.map { key, value in
                    if key == "$ref", let reference = value.stringValue, reference.first == "#" {
                        return (key, .string(place + reference.dropFirst()))
                    }
                    if mapsOfSchemas.contains(key), let schemas = value.objectValue {
                        return (key, .object(LLMJSONObject(schemas.pairs.map { ($0, rebased($1, to: place)) })))
                    }
                    return (key, dataKeywords.contains(key) ? value : rebased(value, to: place))
                }))
    }

    /// Keywords whose values are data and no schemas.
    private static let dataKeywords: Set<String> = ["const", "enum", "default", "examples"]
    /// Keywords whose values have schemas under names of any kind.
    private static let mapsOfSchemas: Set<String> = ["properties", "$defs", "definitions", "patternProperties"]

    private static func object(_ members: [(String, LLMJSONValue)]) -> LLMJSONValue {
        [
            "type": "object",
            "properties": .object(LLMJSONObject(members)),
            "required": .array(members.map { .string($0.0) }),
        ]
    }
}
