import CarbocationLocalLLM

/// What binds the calls of a reply to the tools' schemas.
struct ToolGrammar: Sendable, Hashable {
    /// GBNF.
    var text: String
    var start: GrammarStart
    /// Whether a reply without it would still be read and checked.
    var isOptional: Bool { start == .atCall }

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
        if syntax.family != .plain, !format.grammar.isEmpty {
            self.init(offer, format: format, answerStart: answerStart)
        } else if syntax.acceptsWrapper || syntax.acceptsBareCalls {
            try self.init(offer, syntax: syntax, answerStart: answerStart)
        } else if offer.isCallRequired {
            throw LLMToolError.unsupportedToolMode(
                "Calls of this model cannot be enforced: its template gives no grammar for them. Use the choice “auto”."
            )
        } else {
            return nil
        }
    }

    /// The grammar that llama.cpp made of the template and the tools.
    ///
    /// Its grammar for required calls would let the reply ramble on before them, so the one for calls alone is used
    /// where it can be.
    private init?(_ offer: ToolOffer, format: ChatFormat, answerStart: GrammarStart) {
        text = format.grammar.replacing(Self.emptyRepetition.found, with: Self.emptyRepetition.meant)
        openers = format.callOpeners
        if !format.grammarLazy {
            start = .behindPrompt(format.generationPrompt)
        } else if openers.isEmpty {
            return nil
        } else {
            start = offer.isCallRequired ? answerStart : .atCall
        }
    }

    /// A rule of llama.cpp's for calls in several openers, which repeats nothing without end and so lets a required call
    /// be left out.
    private static let emptyRepetition = (
        found: "tool-calls ::= (tool-call? space)+", meant: "tool-calls ::= (tool-call space)+"
    )

    /// The grammar of calls that are plain JSON.
    private init(_ offer: ToolOffer, syntax: ToolCallSyntax, answerStart: GrammarStart) throws {
        let key = syntax.family == .llama ? "parameters" : "arguments"
        let place = syntax.acceptsWrapper ? "#/properties/tool_calls/items" : "#"
        let calls = offer.tools.enumerated().map { index, tool in
            let arguments = Self.schema(of: tool, at: "\(place)/anyOf/\(index)/properties/\(key)")
            return Self.object([("name", ["const": .string(tool.name)]), (key, arguments)])
        }
        let call: LLMJSONValue = ["anyOf": .array(calls)]
        let wrapper = Self.object([("tool_calls", ["type": "array", "items": call, "minItems": 1])])
        text = try NativeGrammar.text(of: syntax.acceptsWrapper ? wrapper : call)
        start = offer.isCallRequired ? answerStart : .atCall
        openers = syntax.acceptsWrapper ? [#"{"tool_calls""#] : [#"{"name""#]
    }

    /// A tool's schema with its references pointing into the place where it stands; any object if no grammar can
    /// express it, because arguments are checked anyway.
    private static func schema(of tool: LLMToolDefinition, at place: String) -> LLMJSONValue {
        guard (try? NativeGrammar.text(of: tool.parameters)) != nil else { return ["type": "object"] }
        return rebased(tool.parameters, to: place)
    }

    private static func rebased(_ schema: LLMJSONValue, to place: String) -> LLMJSONValue {
        switch schema {
        case .array(let elements): return .array(elements.map { rebased($0, to: place) })
        case .object(let object):
            return .object(
                LLMJSONObject(
                    object.pairs.map { key, value in
                        if key == "$ref", let reference = value.stringValue, reference.first == "#" {
                            return (key, .string(place + reference.dropFirst()))
                        }
                        return (key, dataKeywords.contains(key) ? value : rebased(value, to: place))
                    }))
        default: return schema
        }
    }

    /// Keywords whose values are data and no schemas.
    private static let dataKeywords: Set<String> = ["const", "enum", "default", "examples"]

    private static func object(_ members: [(String, LLMJSONValue)]) -> LLMJSONValue {
        [
            "type": "object",
            "properties": .object(LLMJSONObject(members)),
            "required": .array(members.map { .string($0.0) }),
        ]
    }
}
