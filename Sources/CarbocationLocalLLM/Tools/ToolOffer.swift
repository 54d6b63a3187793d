/// The tools that a model may call in one reply, and whether it has to.
package struct ToolOffer: Sendable, Hashable {
    /// Never empty, with unique names.
    package let tools: [LLMToolDefinition]
    /// Whether the reply has to be at least one call.
    package let isCallRequired: Bool

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
        case .auto: (self.tools, isCallRequired) = (tools, false)
        case .required:
            guard !tools.isEmpty else {
                throw LLMToolError.invalidRequest("A call is required, but there are no tools. Declare at least one.")
            }
            (self.tools, isCallRequired) = (tools, true)
        case .named(let name):
            guard let tool = tools.first(where: { $0.name == name }) else {
                throw LLMToolError.invalidRequest(
                    "A call of “\(name)” is required, but no tool has that name. Declare it, or choose another.")
            }
            (self.tools, isCallRequired) = ([tool], true)
        }
        if tools.isEmpty { return nil }
    }

    /// The same tools for a later reply, which may be text.
    package var withoutRequirement: ToolOffer { ToolOffer(tools: tools, isCallRequired: false) }

    private init(tools: [LLMToolDefinition], isCallRequired: Bool) {
        self.tools = tools
        self.isCallRequired = isCallRequired
    }

    private static func check(_ tools: [LLMToolDefinition]) throws {
        var names: Set<String> = []
        for tool in tools {
            try tool.validate()
            guard names.insert(tool.name).inserted else { throw LLMToolError.duplicateToolName(tool.name) }
        }
    }
}
