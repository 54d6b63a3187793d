/// What the declared tools say about their parameters, as far as the syntax of calls depends on it.
struct DeclaredParameters: Sendable {
    private struct Tool {
        /// The types that each parameter may have; nil where the schema does not restrict them.
        var types: [String: Set<SchemaType>?] = [:]
        /// Whether there may be other parameters.
        var isOpen = false
    }

    private let tools: [String: Tool]
    private let names: Set<String>

    init(tools definitions: [LLMToolDefinition]) {
        var tools: [String: Tool] = [:]
        for definition in definitions {
            let schema = ValueSchema(definition.parameters)
            var tool = Tool(isOpen: schema.isOpen)
            for name in schema.propertyNames { tool.types[name] = .some(schema.member(name)?.types) }
            tools[definition.name] = tool
        }
        self.tools = tools
        names = Set(tools.keys)
    }

    func declaresTool(_ name: String) -> Bool {
        resolvedName(name, among: names) != nil
    }

    /// Whether there may be a tool of this name: nothing is known without any declared tool.
    func allowsTool(_ name: String) -> Bool {
        names.isEmpty || declaresTool(name)
    }

    /// Whether a tool may have a parameter of this name; also if the tool itself is not known.
    func allows(_ parameter: String, in tool: String) -> Bool {
        guard let tool = self.tool(tool) else { return true }
        return tool.isOpen || tool.types[parameter] != nil
    }

    /// Whether a parameter is neither text nor a container, so that its value holds no tag.
    func isPlainScalar(_ parameter: String, in tool: String) -> Bool {
        guard let types = self.tool(tool)?.types[parameter] ?? nil else { return false }
        return types.isSubset(of: [.integer, .number, .boolean, .null])
    }

    private func tool(_ name: String) -> Tool? {
        resolvedName(name, among: names).flatMap { tools[$0] }
    }
}
