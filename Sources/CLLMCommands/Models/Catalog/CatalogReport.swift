import CarbocationLocalLLM

/// The curated models, and which of them suits a computer.
struct CatalogReport {
    let models: [CuratedModel]
    /// The ids of those that are installed.
    let installed: Set<String>
    /// In bytes.
    let memory: UInt64

    private var recommended: CuratedModel? {
        CuratedModelCatalog.recommendedModel(forPhysicalMemoryBytes: memory, among: models)
    }

    private var gibibytes: UInt64 { memory >> 30 }

    /// Why that one, in a sentence.
    var reason: String {
        if let recommended {
            return "\(recommended.displayName) is the most demanding model for \(recommended.recommendedRAMGB) GiB of "
                + "memory or less, and there are \(gibibytes) GiB."
        }
        let least = models.map(\.recommendedRAMGB).min() ?? 0
        return "None is recommended: the least demanding needs \(least) GiB of memory, and there are \(gibibytes) GiB."
    }

    var json: LLMJSONValue {
        [
            "memoryBytes": .count(memory), "recommended": .text(recommended?.id), "reason": .string(reason),
            "models": .array(models.map(json)),
        ]
    }

    var text: String {
        let rows = models.map { model in
            [
                model.id == recommended?.id ? "*" : "", model.displayName, "\(model.recommendedRAMGB) GiB memory",
                Figure.bytes(model.approximateSizeBytes), "\(model.hfRepo)/\(model.hfFilename)",
                installed.contains(model.id) ? "installed" : "",
            ]
        }
        return TextTable(rows).text + "\n" + (recommended == nil ? "" : "* ") + reason + "\n"
    }

    private func json(_ model: CuratedModel) -> LLMJSONValue {
        [
            "id": .string(model.id), "displayName": .string(model.displayName), "subtitle": .string(model.subtitle),
            "hfRepo": .string(model.hfRepo), "hfFilename": .string(model.hfFilename),
            "approximateSizeBytes": .count(model.approximateSizeBytes), "sha256": .text(model.sha256),
            "contextLength": .count(model.contextLength), "quantization": .string(model.quantization),
            "recommendedRAMGB": .count(model.recommendedRAMGB),
            "samplingDefaults": model.samplingDefaults.map(MetadataReport.json) ?? .null,
            "recommended": .bool(model.id == recommended?.id), "installed": .bool(installed.contains(model.id)),
        ]
    }
}
