/// How the complete body of a call is read.
package enum ToolCallBodyFormat: Sendable, Hashable {
    /// Objects with name and arguments, or with the name as their only key.
    case json(JSONCallDecoder.NamePlace)
    /// A name, markers, and arguments in JSON.
    case named(NamedJSONCallSyntax)
    /// A tag for each argument.
    case tagged(TaggedCallSyntax)
    /// JSON, function tags or argument pairs, told apart by the first character.
    case mixed
    /// Gemma's notation.
    case gemma
    /// Calls in Python's syntax, or JSON.
    case callList
    /// JSON, or `name.call(key=value)`.
    case builtInCall
    /// A call in prose.
    case bracketed
    /// Elements named like the arguments, with this text before each tag.
    case elements(namespace: String)

    /// The decoder for a conversation with these tools.
    func decoder(tools: [LLMToolDefinition]) -> any ToolCallBodyDecoding {
        switch self {
        case .json(let place): JSONCallDecoder(namePlace: place)
        case .named(let syntax): NamedJSONCallDecoder(syntax)
        case .tagged(let syntax): TaggedCallDecoder(syntax, tools: tools)
        case .mixed: MixedCallDecoder(tools: tools)
        case .gemma: GemmaCallDecoder()
        case .callList: CallListDecoder(namesEndInCall: false)
        case .builtInCall: CallListDecoder(namesEndInCall: true)
        case .bracketed: BracketedCallDecoder()
        case .elements(let namespace): ElementCallDecoder(namespace: namespace, tools: tools)
        }
    }
}
