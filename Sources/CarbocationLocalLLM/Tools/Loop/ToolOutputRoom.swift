/// Sees to it that the outputs of one reply's calls leave room for the next reply.
package struct ToolOutputRoom: Sendable {
    /// Tokens that a reply needs at least, where neither its limit nor the context is smaller.
    private static let usualReply = 256

    /// Tokens that a call takes whose output is replaced, at most.
    private static let replacedOutput = 64

    private let budget: @Sendable (LLMGenerationRequest) async throws -> LLMGenerationPreflight
    private var request: LLMGenerationRequest
    /// Calls without an output yet; each needs room for being told that its output is too large.
    private var unanswered: Int
    /// Tokens that are certainly free for further outputs; nil when they have to be counted.
    private var freeTokens: Int?

    /// Creates the room behind a reply.
    ///
    /// - Parameters:
    ///   - request: The conversation, with the reply that made the calls at its end.
    ///   - calls: How many outputs there will be.
    ///   - budget: Counts the tokens of the request for the next reply.
    package init(
        request: LLMGenerationRequest, calls: Int,
        budget: @escaping @Sendable (LLMGenerationRequest) async throws -> LLMGenerationPreflight
    ) {
        self.request = request
        self.budget = budget
        unanswered = calls
    }

    /// The output, or the failure that replaces it because it is too large.
    package mutating func admit(_ output: LLMToolOutput) async throws -> LLMToolOutput {
        unanswered -= 1
        let message = LLMChatMessage.tool(output)
        // No token is shorter than a byte. Templates may escape characters, and write a little around an output.
        let mostTokens = Self.usualReply.addingSaturated(message.content.utf8.count.multipliedSaturated(by: 3))
        if let freeTokens, freeTokens > mostTokens {
            self.freeTokens = freeTokens - mostTokens
            request.messages.append(message)
            return output
        }
        var extended = request
        extended.messages.append(message)
        let budget = try await budget(extended)
        let free = budget.availableOutputTokens - Self.needed(budget) - unanswered * Self.replacedOutput
        let replacement = Self.replacement(for: output)
        let smaller = LLMChatMessage.tool(replacement)
        guard free < 0, message.content.utf8.count > smaller.content.utf8.count else {
            freeTokens = free
            request = extended
            return output
        }
        freeTokens = nil
        request.messages.append(smaller)
        return replacement
    }

    private static func needed(_ budget: LLMGenerationPreflight) -> Int {
        let limit = budget.requestedMaxOutputTokens.flatMap { $0 > 0 ? $0 : nil } ?? usualReply
        return min(limit, usualReply, max(1, budget.loadedContextSize / 8))
    }

    private static func replacement(for output: LLMToolOutput) -> LLMToolOutput {
        let failure = ToolFailure(
            code: "tool_output_too_large",
            "The output does not fit into the conversation. Ask for less, or answer without it.")
        return LLMToolOutput(callID: output.callID, name: output.name, content: failure.output, isError: true)
    }
}
