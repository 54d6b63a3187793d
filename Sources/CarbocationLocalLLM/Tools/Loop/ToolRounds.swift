/// Decides what follows what in a run with tools.
///
/// A value without any effects. ``next`` is the reply to generate; ``take(_:of:)`` says what follows from it; the
/// outputs of calls go to ``answer(_:)``, after which there is a next reply.
package struct ToolRounds: Sendable {
    /// A reply to generate.
    package struct Segment: Sendable {
        package var messages: [LLMChatMessage]
        package var options: GenerationOptions
        package var offer: ToolOffer
    }

    /// What follows a reply.
    package enum Step: Sendable, Hashable {
        /// The calls are to be answered; without a round none of them may run.
        case answer([PlannedToolCall], round: Int?)
        /// The run is over.
        case end
    }

    /// The reply to generate.
    package private(set) var next: Segment
    /// All calls so far, in order.
    package private(set) var calls: [LLMToolCall] = []
    /// Their outputs.
    package private(set) var outputs: [LLMToolOutput] = []
    /// How many times calls were answered and the reply continued.
    package private(set) var roundsCompleted = 0
    /// Why the run ended; meaningful once it did.
    package private(set) var stopReason = LLMStopReason.complete
    /// The text of a call that the end of the run cut off.
    package private(set) var incompleteCall: String?

    private let maximumRounds: Int
    private let tools: [String: LLMToolDefinition]
    private var openRound: Int?

    /// Begins a run.
    ///
    /// - Parameters:
    ///   - request: A request that was checked.
    ///   - offer: What it offers first.
    package init(_ request: LLMToolGenerationRequest, offer: ToolOffer) {
        next = Segment(messages: request.messages, options: request.options, offer: offer)
        maximumRounds = request.maxToolRounds
        tools = Dictionary(offer.tools.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Takes the reply that ``next`` asked for.
    ///
    /// - Parameters:
    ///   - reply: Its calls.
    ///   - result: Its texts.
    /// - Returns: What follows.
    package mutating func take(_ reply: ToolReply, of result: LLMGenerationResult) -> Step {
        if next.offer.isWithheld || reply.calls.isEmpty {
            stopReason = next.offer.isWithheld ? .maxToolRounds : result.stopReason
            incompleteCall = reply.incompleteCall
            return .end
        }
        var planned = reply.calls.map { PlannedToolCall($0, tools: tools) }
        var message = result.assistantMessage
        message.toolCalls = planned.map(\.call)
        next.messages.append(message)
        next.options = options(after: reply, result)
        calls += message.toolCalls
        guard roundsCompleted < maximumRounds else {
            next.offer = next.offer.withheld
            for index in planned.indices { planned[index].failure = Self.limitReached }
            return .answer(planned, round: nil)
        }
        next.offer = next.offer.withoutRequirement
        openRound = roundsCompleted + 1
        return .answer(planned, round: openRound)
    }

    /// Takes the outputs of the calls that are to be answered, in their order.
    package mutating func answer(_ outputs: [LLMToolOutput]) {
        self.outputs += outputs
        next.messages += outputs.map(LLMChatMessage.tool)
        if let round = openRound.take() { roundsCompleted = round }
    }

    /// What calls are told that come when no round is left.
    package static let limitReached = ToolFailure(
        code: "max_tool_rounds", "The limit of tool rounds is reached, the tool was not run. Answer without tools.")

    /// How the reply behind this one is generated: with the same seed, and with what is left of the thinking budget.
    private func options(after reply: ToolReply, _ result: LLMGenerationResult) -> GenerationOptions {
        var options = next.options
        if options.seed == nil { options.seed = result.seed }
        if let budget = options.thinkingBudgetTokens {
            options.thinkingBudgetTokens = max(0, budget.subtractingSaturated(reply.thinkingTokens))
        }
        return options
    }
}
