import CarbocationLocalLLM

/// How to generate.
struct GenerationArguments: Sendable, Hashable {
    static let maxTokens = OptionSpecification.value(
        "max-tokens", "N", "Most tokens to generate (default: what the context holds).")
    static let temperature = OptionSpecification.value(
        "temperature", "T", "Randomness; 0 always takes the likeliest token (default: 0).")
    static let topK = OptionSpecification.value("top-k", "N", "Choose among the N likeliest tokens.")
    static let topP = OptionSpecification.value("top-p", "P", "Choose among the likeliest tokens that make up P.")
    static let minP = OptionSpecification.value(
        "min-p", "P", "Leave out tokens less likely than P times the likeliest.")
    static let presencePenalty = OptionSpecification.value(
        "presence-penalty", "X", "Make tokens that occurred less likely by X.")
    static let repetitionPenalty = OptionSpecification.value(
        "repetition-penalty", "X", "Make repeated tokens less likely by the factor X.")
    static let seed = OptionSpecification.value("seed", "N", "Makes a random choice repeatable.")
    static let stop = OptionSpecification.list("stop", "S", "End before this text; may be given several times.")
    static let think = OptionSpecification.flag("think", "Let the model think first, if it can; shown on stderr.")
    static let thinkingBudget = OptionSpecification.value(
        "thinking-budget", "N", "Most tokens of thinking; then it is made to end.")
    static let thinkingMessage = OptionSpecification.value(
        "thinking-message", "TEXT", "What the thinking ends with when its budget is used up.")
    static let reasoningEffort = OptionSpecification.value(
        "reasoning-effort", "E", "One of \(LLMReasoningEffort.allCases.map(\.rawValue).joined(separator: ", ")).")
    static let grammar = OptionSpecification.value(
        "grammar", "FILE", "Only generate what this GBNF grammar accepts.")
    static let jsonSchema = OptionSpecification.value(
        "json-schema", "FILE|JSON", "Only generate JSON that this JSON Schema describes.")
    static let balancedJSON = OptionSpecification.flag(
        "balanced-json", "End with the first complete JSON object or array; print nothing else.")
    static let logprobs = OptionSpecification.value(
        "logprobs", "N", "Report how likely each token and the N likeliest were, 0 to 20 (with --format jsonl).")
    static let specifications = [
        maxTokens, temperature, topK, topP, minP, presencePenalty, repetitionPenalty, seed, stop, think,
        thinkingBudget, thinkingMessage, reasoningEffort, grammar, jsonSchema, balancedJSON, logprobs,
    ]

    private var options = GenerationOptions()
    private var grammarPath: String?
    private var schemaSource: String?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options.maxOutputTokens = try arguments.integer(Self.maxTokens)
        options.temperature = try arguments.number(Self.temperature)
        options.topK = try arguments.integer(Self.topK)
        options.topP = try arguments.number(Self.topP)
        options.minP = try arguments.number(Self.minP)
        options.presencePenalty = try arguments.number(Self.presencePenalty)
        options.repetitionPenalty = try arguments.number(Self.repetitionPenalty)
        options.seed = try arguments.integer(Self.seed)
        options.stopSequences = arguments.options.all(Self.stop)
        options.enableThinking = arguments.isSet(Self.think)
        options.thinkingBudgetTokens = try arguments.integer(Self.thinkingBudget)
        options.thinkingBudgetMessage = arguments.options.last(Self.thinkingMessage) ?? ""
        options.reasoningEffort = try arguments.choice(Self.reasoningEffort)
        options.stopAtBalancedJSON = arguments.isSet(Self.balancedJSON)
        options.logprobs = try arguments.integer(Self.logprobs)
        grammarPath = try arguments.text(Self.grammar)
        schemaSource = try arguments.text(Self.jsonSchema)
        guard grammarPath == nil || schemaSource == nil else {
            throw arguments.usage("--grammar and --json-schema exclude each other")
        }
        do {
            try options.validate()
        } catch LLMEngineError.invalidOptions(let problem) {
            throw arguments.usage(problem)
        } catch {
            throw arguments.usage(FailureReport(error).message)
        }
    }

    /// The options, with the files that they name read.
    func resolved() throws -> GenerationOptions {
        var options = options
        options.grammar = try grammarPath.map { try InputFile.text(at: $0) }
        options.jsonSchema = try schemaSource.map { try SchemaArgument.schema($0) }
        return options
    }
}
