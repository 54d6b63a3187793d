import GGUFFormat

/// What the header of a GGUF file says about its model.
///
/// Whatever the file does not say, or says in a form that cannot be right, is nil.
public struct GGUFModelMetadata: Sendable, Hashable {
    /// The version of the file format, 2 or 3.
    public var version: UInt32
    /// Whether numbers are stored with their most significant byte first.
    public var isBigEndian: Bool
    /// The architecture, for example `llama`; `clip` for a projector.
    public var architecture: String?
    /// What kind of file it is: `model`, `adapter` or something else.
    public var generalType: String?
    /// The model's name.
    public var name: String?
    /// The context the model was trained for, in tokens.
    public var trainingContextLength: Int?
    /// How many layers predict further tokens.
    public var nextNPredictLayers: Int?
    /// The number that stands for the quantization.
    public var fileType: Int?
    /// The quantization, for example `Q4_K_M`; taken from the file name if the header does not say.
    public var quantization: String?
    /// The position of this part in a split model, from 0.
    public var splitIndex: Int?
    /// The number of parts of a split model.
    public var splitCount: Int?
    /// The sampling that the model's makers recommend.
    public var samplingDefaults: LLMSamplingDefaults
    /// The chat template that has no name.
    public var chatTemplate: String?
    /// Further chat templates by name.
    public var namedChatTemplates: [String: String]

    /// Creates metadata; whatever is left out is not known.
    public init(
        version: UInt32,
        isBigEndian: Bool = false,
        architecture: String? = nil,
        generalType: String? = nil,
        name: String? = nil,
        trainingContextLength: Int? = nil,
        nextNPredictLayers: Int? = nil,
        fileType: Int? = nil,
        quantization: String? = nil,
        splitIndex: Int? = nil,
        splitCount: Int? = nil,
        samplingDefaults: LLMSamplingDefaults = .providerDefault,
        chatTemplate: String? = nil,
        namedChatTemplates: [String: String] = [:]
    ) {
        self.version = version
        self.isBigEndian = isBigEndian
        self.architecture = architecture
        self.generalType = generalType
        self.name = name
        self.trainingContextLength = trainingContextLength
        self.nextNPredictLayers = nextNPredictLayers
        self.fileType = fileType
        self.quantization = quantization
        self.splitIndex = splitIndex
        self.splitCount = splitCount
        self.samplingDefaults = samplingDefaults
        self.chatTemplate = chatTemplate
        self.namedChatTemplates = namedChatTemplates
    }

    /// Whether the model brings layers to predict several tokens at once.
    public var supportsMTPAcceleration: Bool { (nextNPredictLayers ?? 0) > 0 }

    /// What the chat template lets a request say about thinking.
    ///
    /// Computed anew each time, which takes time in proportion to the template's length.
    public var thinkingCapabilities: LLMThinkingCapabilities { .derived(fromChatTemplate: chatTemplate) }
}

extension GGUFModelMetadata {
    init(_ facts: GGUFModelFacts) {
        self.init(
            version: facts.version, isBigEndian: facts.isBigEndian, architecture: facts.architecture,
            generalType: facts.generalType, name: facts.name, trainingContextLength: facts.trainingContextLength,
            nextNPredictLayers: facts.nextNPredictLayers, fileType: facts.fileType, quantization: facts.quantization,
            splitIndex: facts.splitIndex, splitCount: facts.splitCount,
            samplingDefaults: LLMSamplingDefaults(facts.sampling), chatTemplate: facts.chatTemplates.standard,
            namedChatTemplates: facts.chatTemplates.named)
    }

    /// The characters of all texts, as a measure of the memory held.
    var textSize: Int {
        namedChatTemplates.reduce(chatTemplate?.utf8.count ?? 0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
            + (name?.utf8.count ?? 0) + (architecture?.utf8.count ?? 0) + (generalType?.utf8.count ?? 0)
    }
}

extension LLMSamplingDefaults {
    /// What a model file recommends.
    init(_ facts: GGUFSamplingFacts) {
        self.init(
            temperature: facts.temperature, topP: facts.topP, topK: facts.topK, minP: facts.minP,
            repetitionPenalty: facts.repetitionPenalty)
    }
}
