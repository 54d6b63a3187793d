/// The tools that a model may call in one reply, and whether it has to.
package struct ToolOffer: Sendable, Hashable {
    /// What the model may do with the tools.
    private enum Use: Sendable {
        case allowed, required, withheld
    }

    /// Never empty, with unique names.
    package let tools: [LLMToolDefinition]
    private let use: Use

    /// Whether the reply has to be at least one call.
    package var isCallRequired: Bool { use == .required }

    /// Whether the model is not told about the tools; calls are still told from text, but none will be answered.
    package var isWithheld: Bool { use == .withheld }

    /// Checks what a request declares; nil when the reply is to be text, without tools.
    ///
    /// - Parameters:
    ///   - tools: The declared tools.
    ///   - choice: How they are to be used.
    /// - Throws: ``LLMToolError`` for definitions that cannot be used, names that are not unique, and a choice that the
    ///   tools do not allow.
    package init?(_ tools: [LLMToolDefinition], choice: LLMToolChoice) throws {
        try Self.check(tools)
        switch choice {
        case .none: return nil
        case .auto: (self.tools, use) = (tools, .allowed)
        case .required:
            guard !tools.isEmpty else {
                throw LLMToolError.invalidRequest("A call is required, but there are no tools. Declare at least one.")
            }
            (self.tools, use) = (tools, .required)
        case .named(let name):
            guard let tool = tools.first(where: { $0.name == name }) else {
                throw LLMToolError.invalidRequest(
                    "A call of “\(name)” is required, but no tool has that name. Declare it, or choose another.")
            }
            (self.tools, use) = ([tool], .required)
        }
        if tools.isEmpty { return nil }
    }

    /// What the model is told; nil if it is told of no tools.
    package var told: ToolOffer? { isWithheld ? nil : self }

    /// The same tools for a later reply, which may be text.
    package var withoutRequirement: ToolOffer { ToolOffer(tools: tools, use: .allowed) }

    /// The same tools for a reply that is to be text because no call will be answered any more.
    package var withheld: ToolOffer { ToolOffer(tools: tools, use: .withheld) }

    /// Refuses options that describe the whole reply, which tools cannot be combined with.
    ///
    /// - Throws: ``LLMToolError/invalidRequest(_:)``.
    package func check(_ options: GenerationOptions) throws {
        if options.stopAtBalancedJSON {
            throw LLMToolError.invalidRequest("A request has either tools or balanced JSON. Leave one of them out.")
        }
        if options.grammar != nil || options.jsonSchema != nil {
            throw LLMToolError.invalidRequest(
                "A request has either tools or a grammar or schema for its answer. Leave one of them out.")
        }
    }

    private init(tools: [LLMToolDefinition], use: Use) {
        self.tools = tools
        self.use = use
    }

    private static func check(_ tools: [LLMToolDefinition]) throws {
        var names: Set<String> = []
        for tool in tools {
            try tool.validate()
            guard names.insert(tool.name).inserted else { throw LLMToolError.duplicateToolName(tool.name) }
        }
    }
}
