import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite struct CuratedModelCatalogTests {
    private static let gib: UInt64 = 1 << 30

    @Test(
        "CC-1: the recommendation by memory",
        arguments: [
            (0, nil), (7, nil), (8, "gemma-4-e2b-it-q4km"), (12, "gemma-4-e2b-it-q4km"),
            (16, "qwen3.5-9b-instruct-q4km"), (32, "gemma-4-26b-a4b-it-q4km"), (47, "gemma-4-26b-a4b-it-q4km"),
            (48, "qwen3.6-27b-dense-q4km"), (64, "qwen3.6-27b-dense-q4km"), (1 << 33, "qwen3.6-27b-dense-q4km"),
        ] as [(UInt64, String?)])
    func recommendation(gigabytes: UInt64, id: String?) {
        #expect(CuratedModelCatalog.recommendedModel(forPhysicalMemoryBytes: gigabytes * Self.gib)?.id == id)
    }

    @Test("CC-1: a byte too little is too little, and all memory there can be is no trap")
    func edges() {
        #expect(CuratedModelCatalog.recommendedModel(forPhysicalMemoryBytes: 8 * Self.gib - 1) == nil)
        #expect(CuratedModelCatalog.recommendedModel(forPhysicalMemoryBytes: .max)?.id == "qwen3.6-27b-dense-q4km")
        #expect(CuratedModelCatalog.recommendedModel(forPhysicalMemoryBytes: .max, among: []) == nil)
    }

    @Test("CC-1: of equally demanding models the first counts")
    func ties() {
        let models = ["a", "b"].map { id in
            CuratedModel(
                id: id, displayName: id, hfRepo: "o/r", hfFilename: "\(id).gguf", approximateSizeBytes: 1,
                contextLength: 1, quantization: "Q4_0", recommendedRAMGB: 10)
        }
        #expect(
            CuratedModelCatalog.recommendedModel(forPhysicalMemoryBytes: 16 * Self.gib, among: models)?.id == "a")
    }

    @Test("CC-1: ids and references are unique, repositories parse, quantizations are those of the names")
    func consistency() {
        let all = CuratedModelCatalog.all
        #expect(all.count == 4)
        #expect(Set(all.map(\.id)).count == all.count)
        #expect(Set(all.map(\.reference)).count == all.count)
        for model in all {
            #expect(HuggingFaceModelReference.parse(model.hfRepo)?.repo == model.hfRepo)
            #expect(InstalledModel.inferQuantization(from: model.hfFilename) == model.quantization)
            #expect(CuratedModelCatalog.entry(id: model.id) == model)
        }
        #expect(CuratedModelCatalog.entry(id: "none") == nil)
    }

    @Test("CC table: sampling of the entries")
    func sampling() {
        let gemma = LLMSamplingDefaults(temperature: 1.0, topP: 0.95, topK: 64)
        let qwen = LLMSamplingDefaults(
            temperature: 0.7, topP: 0.8, topK: 20, minP: 0, presencePenalty: 1.5, repetitionPenalty: 1.0)
        #expect(CuratedModelCatalog.all.map(\.samplingDefaults) == [gemma, nil, gemma, qwen])
        #expect(CuratedModelCatalog.all.map(\.contextLength) == [131_072, 262_144, 262_144, 262_144])
    }

    @Test(
        "CC-1, SL-2: an entry matches a model from a catalog with the same names, case included",
        arguments: [
            (.curated, "o/R", "f.gguf", true), (.customHF, "o/R", "f.gguf", false),
            (.imported, "o/R", "f.gguf", false), (.curated, "o/r", "f.gguf", false),
            (.curated, "o/R", "F.gguf", false), (.curated, nil, "f.gguf", false), (.curated, "o/R", nil, false),
        ] as [(ModelSource, String?, String?, Bool)])
    func matching(source: ModelSource, repo: String?, file: String?, expected: Bool) {
        let entry = CuratedModel(
            id: "x", displayName: "x", hfRepo: "o/R", hfFilename: "f.gguf", approximateSizeBytes: 1, contextLength: 1,
            quantization: "Q4_0", recommendedRAMGB: 8)
        let model = InstalledModel(
            id: UUID(), displayName: "x", filename: "f.gguf", sizeBytes: 1, source: source, hfRepo: repo,
            hfFilename: file)
        #expect(entry.matches(model) == expected)
    }
}
