public import CarbocationLocalLLM
public import Foundation

/// Names a model file to load.
public struct LlamaModelDescriptor: Sendable, Hashable {
    /// The installed model's id, if it is one.
    public var id: UUID?
    /// The GGUF file; of a split set, its first part.
    public var url: URL
    /// A name for people.
    public var displayName: String?

    /// Describes the file at `url`.
    public init(id: UUID? = nil, url: URL, displayName: String? = nil) {
        self.id = id
        self.url = url
        self.displayName = displayName
    }
}

/// What is known about a loaded model.
public struct LlamaLoadedModelInfo: Sendable, Hashable {
    /// The id given when loading.
    public var modelID: UUID?
    /// The loaded file.
    public var modelPath: String
    /// The name given when loading.
    public var displayName: String?
    /// Tokens of the loaded context.
    public var contextSize: Int
    /// Tokens the model was trained on; 0 when the file does not say.
    public var trainingContextSize: Int
    /// Whether the file brings its own chat template.
    public var hasEmbeddedChatTemplate: Bool
    /// The engine that renders prompts, `llama-jinja` or `legacy-c-api`; nil when no prompt can be rendered.
    public var templateFormatter: String?
    /// The template's tool call format; nil when it has none.
    public var toolCallFormat: String?
    /// Whether the file carries multi-token prediction layers.
    public var supportsMTPAcceleration: Bool
    /// What the template knows about thinking.
    public var thinkingCapabilities: LLMThinkingCapabilities
    /// The architecture named in the file, for example `llama`.
    public var architecture: String?

    /// Creates a description.
    public init(
        modelID: UUID? = nil,
        modelPath: String,
        displayName: String? = nil,
        contextSize: Int,
        trainingContextSize: Int,
        hasEmbeddedChatTemplate: Bool,
        templateFormatter: String? = nil,
        toolCallFormat: String? = nil,
        supportsMTPAcceleration: Bool,
        thinkingCapabilities: LLMThinkingCapabilities,
        architecture: String? = nil
    ) {
        self.modelID = modelID
        self.modelPath = modelPath
        self.displayName = displayName
        self.contextSize = contextSize
        self.trainingContextSize = trainingContextSize
        self.hasEmbeddedChatTemplate = hasEmbeddedChatTemplate
        self.templateFormatter = templateFormatter
        self.toolCallFormat = toolCallFormat
        self.supportsMTPAcceleration = supportsMTPAcceleration
        self.thinkingCapabilities = thinkingCapabilities
        self.architecture = architecture
    }
}
