#if canImport(FoundationModels) && (canImport(Darwin) || APPLE_SDK_STUBS)
    import CarbocationLocalLLM
    import FoundationModels

    /// A tool of the package as the framework calls it.
    @available(macOS 26.0, iOS 26.0, *)
    struct FrameworkTool: FoundationModels.Tool {
        let name: String
        let description: String
        let parameters: GenerationSchema
        private let arguments: ToolArguments
        private let answer: @Sendable (LLMJSONValue) async throws -> String

        init(_ tool: SystemTool) throws {
            name = tool.definition.name
            description = tool.definition.description
            arguments = ToolArguments(of: tool.definition)
            parameters = try FrameworkSchema.schema(arguments.schema)
            answer = tool.answer
        }

        func call(arguments content: GeneratedContent) async throws -> String {
            let text = content.jsonString
            // What is no JSON is passed on as text, and refused as arguments that are no object.
            guard let value = try? LLMJSONValue(jsonString: text) else { return try await answer(.string(text)) }
            return try await answer(arguments.arguments(in: value))
        }
    }
#endif
