#if canImport(FoundationModels) && (canImport(Darwin) || APPLE_SDK_STUBS)
    import CarbocationLocalLLM
    import FoundationModels

    /// Tells the framework what was said before.
    @available(macOS 26.0, iOS 26.0, *)
    enum FrameworkTranscript {
        /// The transcript of a conversation.
        ///
        /// - Parameters:
        ///   - prompt: The conversation.
        ///   - asksPrompt: Whether the prompt is part of the transcript, rather than asked later.
        /// - Returns: The entries: instructions with the tools, and an entry for each message.
        /// - Throws: `LLMEngineError.unsupportedSchema`, when the framework refuses the parameters of a tool.
        static func transcript(of prompt: SystemPrompt, asksPrompt: Bool) throws -> Transcript {
            var entries: [Transcript.Entry] = []
            let definitions = try prompt.tools.map { tool in
                Transcript.ToolDefinition(
                    name: tool.name, description: tool.description,
                    parameters: try FrameworkSchema.schema(ToolArguments(of: tool).schema))
            }
            if !prompt.instructions.isEmpty || !definitions.isEmpty {
                entries.append(instructions(prompt.instructions, definitions))
            }
            let names = toolNames(in: prompt.history)
            let tools = Dictionary(prompt.tools.map { ($0.name, ToolArguments(of: $0)) }) { first, _ in first }
            for message in prompt.history { entries += self.entries(of: message, toolNames: names, tools: tools) }
            if asksPrompt { entries.append(.prompt(Transcript.Prompt(segments: segments(prompt.prompt)))) }
            return Transcript(entries: entries)
        }

        private static func instructions(
            _ text: String, _ tools: [Transcript.ToolDefinition]
        ) -> Transcript.Entry {
            .instructions(Transcript.Instructions(segments: segments(text), toolDefinitions: tools))
        }

        private static func entries(
            of message: LLMChatMessage, toolNames: [String: String], tools: [String: ToolArguments]
        ) -> [Transcript.Entry] {
            switch message.role {
            case .system: return [instructions(message.content, [])]
            case .user: return [.prompt(Transcript.Prompt(segments: segments(message.content)))]
            case .assistant: return entries(ofReply: message, tools: tools)
            case .tool:
                let id = message.toolCallID ?? ""
                let name = message.toolName ?? toolNames[id] ?? ""
                return [
                    .toolOutput(Transcript.ToolOutput(id: id, toolName: name, segments: segments(message.content)))
                ]
            }
        }

        private static func entries(
            ofReply message: LLMChatMessage, tools: [String: ToolArguments]
        ) -> [Transcript.Entry] {
            var entries: [Transcript.Entry] = []
            if !message.content.isEmpty || message.toolCalls.isEmpty {
                entries.append(.response(Transcript.Response(assetIDs: [], segments: segments(message.content))))
            }
            guard !message.toolCalls.isEmpty else { return entries }
            let calls = message.toolCalls.map { call in
                // As the model wrote them.
                let arguments = tools[call.name]?.content(of: call.arguments) ?? call.arguments
                return Transcript.ToolCall(id: call.id, toolName: call.name, arguments: content(of: arguments))
            }
            entries.append(.toolCalls(Transcript.ToolCalls(calls)))
            return entries
        }

        private static func content(of arguments: LLMJSONValue) -> GeneratedContent {
            let text = arguments.jsonString()
            return (try? GeneratedContent(json: text)) ?? GeneratedContent(text)
        }

        private static func segments(_ text: String) -> [Transcript.Segment] {
            text.isEmpty ? [] : [.text(Transcript.TextSegment(content: text))]
        }

        private static func toolNames(in messages: [LLMChatMessage]) -> [String: String] {
            let calls = messages.flatMap(\.toolCalls)
            return Dictionary(calls.map { ($0.id, $0.name) }) { first, _ in first }
        }
    }
#endif
