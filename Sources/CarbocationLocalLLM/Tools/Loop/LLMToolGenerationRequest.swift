/// A conversation to continue with tools that the model may call.
///
/// ```swift
/// let request = LLMToolGenerationRequest(
///     system: "You are a helpful assistant.", prompt: "What is 17 plus 25?",
///     tools: LLMStandardTools.initialTools())
/// let result = try await engine.generateWithTools(request)
/// ```
///
/// Only the tools of the request can ever run.
public struct LLMToolGenerationRequest: Sendable {
    /// The conversation, oldest message first; the last one is what the model answers.
    public var messages: [LLMChatMessage]
    /// How to generate each reply.
    ///
    /// The thinking budget counts for the whole run, the limit of output for each reply. Structured output cannot be
    /// combined with tools.
    public var options: GenerationOptions
    /// The tools, with unique names.
    public var tools: [LLMTool]
    /// Whether and which tools the model uses.
    public var toolChoice: LLMToolChoice
    /// How many times replies may call tools and be continued with the outputs; 0 runs none.
    public var maxToolRounds: Int
    /// How many calls of one reply run at the same time, at most; at least 1.
    public var maximumConcurrentToolCalls: Int
    /// How long one call may take, for tools that do not say it themselves.
    public var toolTimeout: Duration
    /// Decides about each call before it runs.
    public var approval: LLMToolApproval

    /// Creates a request from a conversation.
    ///
    /// Nothing is checked before the generation starts.
    public init(
        messages: [LLMChatMessage],
        options: GenerationOptions = GenerationOptions(),
        tools: [LLMTool] = [],
        toolChoice: LLMToolChoice = .auto,
        maxToolRounds: Int = 4,
        maximumConcurrentToolCalls: Int = 4,
        toolTimeout: Duration = .seconds(60),
        approval: LLMToolApproval = .automatic
    ) {
        self.messages = messages
        self.options = options
        self.tools = tools
        self.toolChoice = toolChoice
        self.maxToolRounds = maxToolRounds
        self.maximumConcurrentToolCalls = maximumConcurrentToolCalls
        self.toolTimeout = toolTimeout
        self.approval = approval
    }

    /// Creates a request from one user message, after a system message unless `system` is blank.
    ///
    /// Nothing is checked before the generation starts.
    public init(
        system: String = "",
        prompt: String,
        options: GenerationOptions = GenerationOptions(),
        tools: [LLMTool] = [],
        toolChoice: LLMToolChoice = .auto,
        maxToolRounds: Int = 4,
        maximumConcurrentToolCalls: Int = 4,
        toolTimeout: Duration = .seconds(60),
        approval: LLMToolApproval = .automatic
    ) {
        self.init(
            messages: LLMGenerationRequest(system: system, prompt: prompt).messages, options: options, tools: tools,
            toolChoice: toolChoice, maxToolRounds: maxToolRounds,
            maximumConcurrentToolCalls: maximumConcurrentToolCalls, toolTimeout: toolTimeout, approval: approval)
    }
}

extension LLMToolGenerationRequest {
    /// What the model is offered first; nil when the run is a plain generation.
    ///
    /// - Throws: ``LLMToolError`` for a request that contradicts itself and for tools that cannot be used.
    package func checkedOffer() throws -> ToolOffer? {
        guard maxToolRounds >= 0 else {
            throw LLMToolError.invalidRequest("maxToolRounds is \(maxToolRounds). Use 0 or more.")
        }
        guard maximumConcurrentToolCalls >= 1 else {
            throw LLMToolError.invalidRequest(
                "maximumConcurrentToolCalls is \(maximumConcurrentToolCalls). Use 1 or more.")
        }
        guard toolTimeout >= .zero, tools.allSatisfy({ ($0.timeout ?? .zero) >= .zero }) else {
            throw LLMToolError.invalidRequest("A tool's timeout is negative. Use a positive one.")
        }
        return try ToolOffer(tools.map(\.definition), choice: toolChoice)
    }

    /// The same conversation as a request for one reply.
    package func plain(control: LLMGenerationControl?) -> LLMGenerationRequest {
        LLMGenerationRequest(messages: messages, options: options, control: control)
    }
}
