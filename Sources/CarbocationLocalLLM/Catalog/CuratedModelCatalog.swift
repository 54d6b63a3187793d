/// The models that are recommended unless an app brings a list of its own.
public enum CuratedModelCatalog {
    /// All entries, from small to large.
    public static var all: [CuratedModel] { entries }

    /// The entry with an id.
    ///
    /// - Parameters:
    ///   - id: The entry's id.
    ///   - models: The list to look in.
    /// - Returns: The entry, or nil when there is none.
    public static func entry(id: String, among models: [CuratedModel] = CuratedModelCatalog.all) -> CuratedModel? {
        models.first { $0.id == id }
    }

    /// The most demanding model that a computer has the memory for.
    ///
    /// - Parameters:
    ///   - bytes: The computer's memory in bytes.
    ///   - models: The list to choose from; of equally demanding ones the first is taken.
    /// - Returns: The model, or nil when the memory suffices for none.
    public static func recommendedModel(
        forPhysicalMemoryBytes bytes: UInt64, among models: [CuratedModel] = CuratedModelCatalog.all
    ) -> CuratedModel? {
        let available = Int(clamping: bytes >> 30)
        guard available >= minimumMemoryGB else { return nil }
        return models.filter { $0.recommendedRAMGB <= available }
            .reduce(nil) { best, model in
                guard let best, best.recommendedRAMGB >= model.recommendedRAMGB else { return model }
                return best
            }
    }

    /// Computers with less memory have none to spare for a model.
    private static let minimumMemoryGB = 8

    private static let entries = [
        CuratedModel(
            id: "gemma-4-e2b-it-q4km",
            displayName: "Gemma 4 E2B Instruct",
            subtitle: "Small and quick, for computers with 8 GB of memory.",
            hfRepo: "bartowski/google_gemma-4-E2B-it-GGUF",
            hfFilename: "google_gemma-4-E2B-it-Q4_K_M.gguf",
            approximateSizeBytes: 3_500_000_000,
            contextLength: 131_072,
            quantization: "Q4_K_M",
            recommendedRAMGB: 8,
            samplingDefaults: LLMSamplingDefaults(temperature: 1.0, topP: 0.95, topK: 64)
        ),
        CuratedModel(
            id: "qwen3.5-9b-instruct-q4km",
            displayName: "Qwen3.5 9B Instruct",
            subtitle: "A good balance for computers with 16 GB of memory.",
            hfRepo: "bartowski/Qwen_Qwen3.5-9B-GGUF",
            hfFilename: "Qwen_Qwen3.5-9B-Q4_K_M.gguf",
            approximateSizeBytes: 5_300_000_000,
            contextLength: 262_144,
            quantization: "Q4_K_M",
            recommendedRAMGB: 16
        ),
        CuratedModel(
            id: "gemma-4-26b-a4b-it-q4km",
            displayName: "Gemma 4 26B A4B Instruct",
            subtitle: "A large model that computes with a small part of itself at a time.",
            hfRepo: "bartowski/google_gemma-4-26B-A4B-it-GGUF",
            hfFilename: "google_gemma-4-26B-A4B-it-Q4_K_M.gguf",
            approximateSizeBytes: 16_900_000_000,
            contextLength: 262_144,
            quantization: "Q4_K_M",
            recommendedRAMGB: 32,
            samplingDefaults: LLMSamplingDefaults(temperature: 1.0, topP: 0.95, topK: 64)
        ),
        CuratedModel(
            id: "qwen3.6-27b-dense-q4km",
            displayName: "Qwen3.6 27B",
            subtitle: "The strongest answers, for computers with 48 GB of memory or more.",
            hfRepo: "bartowski/Qwen_Qwen3.6-27B-GGUF",
            hfFilename: "Qwen_Qwen3.6-27B-Q4_K_M.gguf",
            approximateSizeBytes: 17_500_000_000,
            contextLength: 262_144,
            quantization: "Q4_K_M",
            recommendedRAMGB: 48,
            samplingDefaults: LLMSamplingDefaults(
                temperature: 0.7, topP: 0.8, topK: 20, minP: 0, presencePenalty: 1.5, repetitionPenalty: 1.0)
        ),
    ]
}
