#if canImport(FoundationModels) && (canImport(Darwin) || APPLE_SDK_STUBS)
    import CarbocationLocalLLM
    import FoundationModels

    /// A tool of the package as the framework calls it.
    @available(macOS 26.0, iOS 26.0, *)
    struct FrameworkTool: FoundationModels.Tool {
        let name: String
        let description: String
        let parameters: GenerationSchema
        private let answer: @Sendable (LLMJSONValue) async throws -> String

        init(_ tool: SystemTool) throws {
            name = tool.definition.name
            description = tool.definition.description
            parameters = try FrameworkSchema.schema(SchemaPlan(parametersOf: tool.definition))
            answer = tool.answer
        }

        func call(arguments: GeneratedContent) async throws -> String {
            let text = arguments.jsonString
            // What is no JSON is passed on as text, and refused as arguments that are no object.
            return try await answer((try? LLMJSONValue(jsonString: text)) ?? .string(text))
        }
    }
#endif
