/// What a reply that may call tools has of calls.
package struct ToolReply: Sendable, Hashable {
    /// A call of the reply.
    package enum Call: Sendable, Hashable {
        /// A declared tool with arguments that fit.
        case accepted(LLMToolCall)
        /// A call that is answered with a mistake.
        case rejected(RejectedToolCall)
    }

    /// In the order in which the model wrote them.
    package var calls: [Call] = []
    /// The text of a call that the end of the reply cut off; nothing of it runs.
    package var incompleteCall: String?
    /// How many tokens the reply thought.
    package var thinkingTokens = 0

    package init() {}

    /// Takes what a reader of the reply gave.
    package mutating func append(_ outputs: [ReplyOutput]) {
        for output in outputs {
            switch output {
            case .call(let call): calls.append(.accepted(call))
            case .rejected(let call): calls.append(.rejected(call))
            default: break
            }
        }
    }
}
