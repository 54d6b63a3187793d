public import Foundation

/// What can go wrong between a request and its text.
///
/// Cancellation is none of these: it is always a plain `CancellationError`.
public enum LLMEngineError: Error, Sendable, Equatable {
    /// Nothing is loaded.
    case noModelLoaded
    /// The model file could not be loaded, and why.
    case modelLoadFailed(String)
    /// No context could be made for the model; lists the batch sizes that were tried.
    case contextInitFailed(String)
    /// The prompt could not be turned into tokens.
    case tokenizationFailed
    /// The prompt fits, but leaves no room for a single token of output.
    case insufficientGenerationBudget(contextSize: Int, promptTokens: Int, reserve: Int)
    /// The prompt alone fills the context.
    case contextBudgetExceeded(contextSize: Int, promptTokens: Int, reserve: Int)
    /// The model failed while reading the prompt or writing.
    case decodeFailed(String)
    /// The sampling chain could not be made.
    case samplerInitFailed(String)
    /// The grammar is not valid GBNF.
    case grammarParseFailed(String)
    /// The prompt could not be rendered; holds the template's own message.
    case chatTemplateUnavailable(String)
    /// Structured output cannot be combined with how this model thinks.
    case structuredOutputPhaseFailed(String)
    /// A part of the runtime is missing.
    case runtimeUnavailable(String)
    /// A field of the options cannot be used.
    case invalidOptions(String)
    /// The messages of the request cannot be used.
    case invalidRequest(String)
    /// The JSON schema uses what cannot be enforced.
    case unsupportedSchema(String)
    /// The output does not follow the schema.
    case structuredOutputInvalid(String)
}

extension LLMEngineError: LocalizedError {
    /// What went wrong, as a sentence for people, with the remedy where there is one.
    public var errorDescription: String? {
        switch self {
        case .noModelLoaded: "No model is loaded. Choose a model in Settings."
        case .modelLoadFailed(let reason): Self.sentence("The model could not be loaded", reason)
        case .contextInitFailed(let reason): Self.sentence("The model's context could not be created", reason)
        case .tokenizationFailed: "The prompt could not be turned into tokens."
        case .insufficientGenerationBudget(let contextSize, let promptTokens, let reserve):
            "The prompt of \(promptTokens) tokens and a reserve of \(reserve) tokens leave no room for output in the "
                + "context of \(contextSize) tokens. Shorten the prompt or load the model with a larger context."
        case .contextBudgetExceeded(let contextSize, let promptTokens, let reserve):
            "The prompt of \(promptTokens) tokens does not fit into the context of \(contextSize) tokens "
                + "(reserve: \(reserve) tokens). Shorten the prompt or load the model with a larger context."
        case .decodeFailed(let reason): Self.sentence("The model stopped with a failure", reason)
        case .samplerInitFailed(let reason): Self.sentence("Sampling could not be set up", reason)
        case .grammarParseFailed(let reason): Self.sentence("The grammar could not be read", reason)
        case .chatTemplateUnavailable(let reason): Self.sentence("The prompt could not be rendered", reason)
        case .structuredOutputPhaseFailed(let reason):
            Self.sentence("Structured output is not possible with this model's thinking", reason)
        case .runtimeUnavailable(let reason): Self.sentence("The runtime is not available", reason)
        case .invalidOptions(let reason): Self.sentence("The generation options cannot be used", reason)
        case .invalidRequest(let reason): Self.sentence("The request cannot be used", reason)
        case .unsupportedSchema(let reason): Self.sentence("The JSON schema is not supported", reason)
        case .structuredOutputInvalid(let reason): Self.sentence("The output does not follow its schema", reason)
        }
    }

    private static func sentence(_ summary: String, _ reason: String) -> String {
        let reason = reason.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let end = reason.last else { return summary + "." }
        return "\(summary): \(reason)" + (".!?".contains(end) ? "" : ".")
    }
}

extension LLMEngineError: CustomNSError {
    /// The domain of bridged errors.
    public static var errorDomain: String { "CarbocationLocalLLM.LLMEngineError" }

    /// The case's position in the declaration, from 1; codes never change.
    public var errorCode: Int {
        switch self {
        case .noModelLoaded: 1
        case .modelLoadFailed: 2
        case .contextInitFailed: 3
        case .tokenizationFailed: 4
        case .insufficientGenerationBudget: 5
        case .contextBudgetExceeded: 6
        case .decodeFailed: 7
        case .samplerInitFailed: 8
        case .grammarParseFailed: 9
        case .chatTemplateUnavailable: 10
        case .structuredOutputPhaseFailed: 11
        case .runtimeUnavailable: 12
        case .invalidOptions: 13
        case .invalidRequest: 14
        case .unsupportedSchema: 15
        case .structuredOutputInvalid: 16
        }
    }

    /// The description, for code that only sees the bridged error.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: errorDescription ?? ""]
    }
}

extension LLMEngineError {
    /// Why something else is not loaded while a generation runs.
    package static let generationIsActive = LLMEngineError.modelLoadFailed(
        "Cannot load a new model while generation is active.")
}
