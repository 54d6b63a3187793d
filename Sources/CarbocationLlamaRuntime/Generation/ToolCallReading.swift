import CarbocationLocalLLM

/// How the calls of one reply are read.
struct ToolCallReading: Sendable {
    let offer: ToolOffer
    let syntax: ToolCallSyntax
    /// Knows the ids of the calls in the conversation.
    let allocator: LLMToolCallIDAllocator
    /// Texts around calls whose tokens must be seen.
    let preservedTokens: [String]
    fileprivate let format: ChatFormat

    init(
        _ offer: ToolOffer, messages: [LLMChatMessage], prompt: RenderedPrompt, options: GenerationOptions,
        renderer: PromptRenderer
    ) throws {
        // Only a prompt with tools says how the template writes their calls.
        let prompt =
            offer.isWithheld
            ? try renderer.render(messages, options: options, tools: offer.withoutRequirement) : prompt
        self.offer = offer
        syntax = try renderer.toolSyntax(for: prompt)
        allocator = LLMToolCallIDAllocator(reserving: messages.lazy.flatMap(\.toolCalls).map(\.id))
        preservedTokens = prompt.format.preservedTokens + syntax.markers
        format = prompt.format
    }
}

extension SamplerSettings {
    /// Makes the calls' grammar the one to follow.
    ///
    /// - Returns: How it begins, if it waits for a call.
    /// - Throws: ``LLMToolError`` when a required call cannot be enforced.
    mutating func take(_ calls: ToolCallReading?) throws -> CallLead? {
        guard let calls, !calls.offer.isWithheld else { return nil }
        let tools: ToolGrammar
        do {
            let made = try ToolGrammar(
                calls.offer, syntax: calls.syntax, format: calls.format, answerStart: grammarStart)
            guard let made else { return nil }
            grammar = try NativeGrammar.checked(made.text)
            tools = made
        } catch {
            // Without a grammar the calls are still read and checked.
            guard calls.offer.isCallRequired else { return nil }
            throw error
        }
        grammarStart = tools.start
        return tools.lead
    }
}
