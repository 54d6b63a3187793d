import CarbocationLocalLLM

/// The metadata of a model as `models show` prints it.
struct MetadataReport {
    let summary: GGUFModelSummary

    private var metadata: GGUFModelMetadata { summary.metadata }
    private var templateNames: [String] { metadata.namedChatTemplates.keys.sorted() }

    var json: LLMJSONValue {
        [
            "architecture": .text(metadata.architecture),
            "trainingContextLength": .count(metadata.trainingContextLength),
            "quantization": .text(metadata.quantization),
            "parameterCount": .count(summary.parameterCount),
            "fileSize": .count(summary.fileSize),
            "hasChatTemplate": .bool(hasChatTemplate),
            "chatTemplateNames": .array(templateNames.map { .string($0) }),
            "nextNPredictLayers": .count(metadata.nextNPredictLayers),
            "samplingDefaults": Self.json(metadata.samplingDefaults),
            "splitCount": .count(metadata.splitCount),
            "tokenizerModel": .text(summary.tokenizerModel),
        ]
    }

    var text: String {
        let rows: [(String, String?)] = [
            ("name", metadata.name),
            ("architecture", metadata.architecture),
            ("training context", metadata.trainingContextLength.map { "\($0) tokens" }),
            ("quantization", metadata.quantization),
            ("parameters", "\(summary.parameterCount)"),
            ("file size", "\(Figure.bytes(Int64(clamping: summary.fileSize))) (\(summary.fileSize) bytes)"),
            ("parts", metadata.splitCount.map(String.init)),
            ("tokenizer", summary.tokenizerModel),
            ("chat template", chatTemplates),
            ("predicting layers", metadata.nextNPredictLayers.map(String.init)),
            ("sampling", sampling),
        ]
        return TextTable(rows.compactMap { name, value in value.map { ["\(name):", $0] } }).text
    }

    private var hasChatTemplate: Bool { metadata.chatTemplate != nil || !metadata.namedChatTemplates.isEmpty }

    private var chatTemplates: String {
        guard hasChatTemplate else { return "none" }
        let standard = metadata.chatTemplate == nil ? [] : ["standard"]
        return (standard + templateNames).joined(separator: ", ")
    }

    private var sampling: String? {
        let pairs = Self.json(metadata.samplingDefaults).objectValue?.pairs ?? []
        let stated = pairs.filter { $0.value != .null }.map { "\($0.key) \($0.value.jsonString())" }
        return stated.isEmpty ? nil : stated.joined(separator: ", ")
    }
}

extension MetadataReport {
    /// Recommended sampling, `null` for whatever is left to the engine.
    static func json(_ sampling: LLMSamplingDefaults) -> LLMJSONValue {
        [
            "temperature": .number(sampling.temperature), "topP": .number(sampling.topP),
            "topK": .count(sampling.topK), "minP": .number(sampling.minP),
            "presencePenalty": .number(sampling.presencePenalty),
            "repetitionPenalty": .number(sampling.repetitionPenalty), "seed": .count(sampling.seed),
        ]
    }
}
