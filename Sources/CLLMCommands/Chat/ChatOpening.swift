package import CarbocationLocalLLM

/// What a conversation begins with.
package struct ChatOpening: Sendable, Hashable {
    package var system: String
    /// Turns from elsewhere.
    package var history: [LLMChatMessage]

    package init(system: String = "", history: [LLMChatMessage] = []) {
        self.system = system
        self.history = history
    }

    /// The messages of a file; the system messages at their head join the system text.
    ///
    /// - Throws: `LLMEngineError.invalidRequest` for what no request may hold either, except that a reply may be last.
    init(system: String, messages: [LLMChatMessage]) throws {
        let leading = messages.prefix { $0.role == .system }
        let texts = [system] + leading.map(\.content)
        self.init(
            system: texts.filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: "\n\n"),
            history: Array(messages.dropFirst(leading.count)))
        var request = messages
        while request.count > 1, request.last?.role == .assistant { request.removeLast() }
        _ = try LLMChatMessage.normalizedConversation(request)
    }
}
