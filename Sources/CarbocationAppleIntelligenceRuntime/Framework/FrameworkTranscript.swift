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
                    parameters: try FrameworkSchema.schema(SchemaPlan(parametersOf: tool)))
            }
            if !prompt.instructions.isEmpty || !definitions.isEmpty {
                entries.append(instructions(prompt.instructions, definitions))
            }
            let names = toolNames(in: prompt.history)
            for message in prompt.history { entries += self.entries(of: message, toolNames: names) }
            if asksPrompt { entries.append(.prompt(Transcript.Prompt(segments: segments(prompt.prompt)))) }
            return Transcript(entries: entries)
        }

        private static func instructions(
            _ text: String, _ tools: [Transcript.ToolDefinition]
        ) -> Transcript.Entry {
            .instructions(Transcript.Instructions(segments: segments(text), toolDefinitions: tools))
        }

        private static func entries(
            of message: LLMChatMessage, toolNames: [String: String]
        ) -> [Transcript.Entry] {
            switch message.role {
            case .system: return [instructions(message.content, [])]
            case .user: return [.prompt(Transcript.Prompt(segments: segments(message.content)))]
            case .assistant: return entries(ofReply: message)
            case .tool:
                let id = message.toolCallID ?? ""
                let name = message.toolName ?? toolNames[id] ?? ""
                return [
                    .toolOutput(Transcript.ToolOutput(id: id, toolName: name, segments: segments(message.content)))
                ]
            }
        }

        private static func entries(ofReply message: LLMChatMessage) -> [Transcript.Entry] {
            var entries: [Transcript.Entry] = []
            if !message.content.isEmpty || message.toolCalls.isEmpty {
                entries.append(.response(Transcript.Response(assetIDs: [], segments: segments(message.content))))
            }
            guard !message.toolCalls.isEmpty else { return entries }
            let calls = message.toolCalls.map { call in
                Transcript.ToolCall(id: call.id, toolName: call.name, arguments: arguments(of: call))
            }
            entries.append(.toolCalls(Transcript.ToolCalls(calls)))
            return entries
        }

        private static func arguments(of call: LLMToolCall) -> GeneratedContent {
            let text = call.arguments.jsonString()
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
