/// A model that an app recommends.
public struct CuratedModel: Codable, Sendable, Hashable, Identifiable {
    /// A name for programs that never changes.
    public var id: String
    /// A name for people.
    public var displayName: String
    /// One line below the name.
    public var subtitle: String
    /// The Hugging Face repository, `owner/name`.
    public var hfRepo: String
    /// The path of the weights in it; of split weights, the first part.
    public var hfFilename: String
    /// About how much there is to download, in bytes; shown before the download only.
    public var approximateSizeBytes: Int64
    /// The SHA-256 of the weights in hexadecimal, if it is known.
    public var sha256: String?
    /// The training context in tokens, shown before the download only; then the file's header decides.
    public var contextLength: Int
    /// The quantization, for example `Q4_K_M`.
    public var quantization: String
    /// The memory the computer should have, in GiB.
    public var recommendedRAMGB: Int
    /// Sampling that suits the model.
    public var samplingDefaults: LLMSamplingDefaults?

    /// Describes a model.
    public init(
        id: String,
        displayName: String,
        subtitle: String = "",
        hfRepo: String,
        hfFilename: String,
        approximateSizeBytes: Int64,
        sha256: String? = nil,
        contextLength: Int,
        quantization: String,
        recommendedRAMGB: Int,
        samplingDefaults: LLMSamplingDefaults? = nil
    ) {
        self.id = id
        self.displayName = displayName
        self.subtitle = subtitle
        self.hfRepo = hfRepo
        self.hfFilename = hfFilename
        self.approximateSizeBytes = approximateSizeBytes
        self.sha256 = sha256
        self.contextLength = contextLength
        self.quantization = quantization
        self.recommendedRAMGB = recommendedRAMGB
        self.samplingDefaults = samplingDefaults
    }

    /// The file that is downloaded.
    public var reference: CuratedModelReference { CuratedModelReference(hfRepo: hfRepo, hfFilename: hfFilename) }

    /// Whether an installed model is this one: from a catalog, of the same repository and file.
    public func matches(_ model: InstalledModel) -> Bool { model.curatedReference == reference }
}

extension InstalledModel {
    /// The catalog entry the model was installed from; nil for models of other origin.
    var curatedReference: CuratedModelReference? {
        guard source == .curated, let hfRepo, let hfFilename else { return nil }
        return CuratedModelReference(hfRepo: hfRepo, hfFilename: hfFilename)
    }
}
