import Foundation
import GGUFFormat
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite struct GGUFMetadataReaderTests {
    @Test("GG-6…GG-12: the header's facts under their public names")
    func metadata() throws {
        let folder = try ScratchFolder()
        let builder = GGUFBuilder.model(
            context: 4_096,
            [
                ("general.type", .string("model")), ("general.name", .string("Some Model")),
                ("general.file_type", .uint32(15)), ("gemma4.nextn_predict_layers", .uint32(4)),
                ("general.sampling.temp", .float32(1)), ("general.sampling.top_p", .float32(0.95)),
                ("general.sampling.top_k", .int32(20)), ("general.sampling.min_p", .float32(0.05)),
                ("general.sampling.penalty_repeat", .float32(1.1)),
                ("split.no", .uint16(0)), ("split.count", .uint16(2)),
                ("tokenizer.chat_template", .string("{{ enable_thinking }}")),
                ("tokenizer.chat_templates", .strings(["tool_use", "rag"])),
                ("tokenizer.chat_template.tool_use", .string("T")),
            ])
        let url = try folder.write(builder, to: "m.gguf")
        let metadata = try GGUFMetadataReader.metadata(at: url)
        let expected = GGUFModelMetadata(
            version: 3, architecture: "llama", generalType: "model", name: "Some Model", trainingContextLength: 4_096,
            nextNPredictLayers: 4, fileType: 15, quantization: "Q4_K_M", splitIndex: 0, splitCount: 2,
            samplingDefaults: LLMSamplingDefaults(
                temperature: 1, topP: 0.95, topK: 20, minP: 0.05, repetitionPenalty: 1.1),
            chatTemplate: "{{ enable_thinking }}", namedChatTemplates: ["tool_use": "T"])
        #expect(metadata == expected)
        #expect(metadata.supportsMTPAcceleration)
        #expect(metadata.thinkingCapabilities.supportsThinking)
    }

    @Test("GG-9: the throwing reader reports errors, the others turn them into nil and false")
    func errors() throws {
        let folder = try ScratchFolder()
        let page = try folder.write("<!DOCTYPE html>", to: "page.gguf")
        #expect(throws: GGUFReaderError.notGGUF) { try GGUFMetadataReader.metadata(at: page) }
        #expect(GGUFMetadataReader.trainingContextLength(at: page) == nil)
        #expect(!GGUFMetadataReader.supportsMTPAcceleration(at: page))
        #expect(throws: GGUFReaderError.self) { try GGUFMetadataReader.metadata(at: folder.place("none.gguf")) }
        let web = try #require(URL(string: "https://example.org/m.gguf"))
        #expect(throws: GGUFReaderError.self) { try GGUFMetadataReader.metadata(at: web) }
    }

    @Test("F14: the model's own key counts, and nothing is made up")
    func contextKeys() throws {
        let folder = try ScratchFolder()
        var builder = GGUFBuilder()
        builder.add("general.architecture", .string("stablelm"))
        builder.add("stablelm.context_length", .uint32(4_096))
        builder.add("llama.context_length", .uint32(512))
        #expect(GGUFMetadataReader.trainingContextLength(at: try folder.write(builder, to: "a.gguf")) == 4_096)
        var nameless = GGUFBuilder()
        nameless.add("stablelm.context_length", .uint32(4_096))
        nameless.add("llama.context_length", .uint32(512))
        #expect(GGUFMetadataReader.trainingContextLength(at: try folder.write(nameless, to: "b.gguf")) == nil)
    }
}

@Suite struct GGUFMetadataCacheTests {
    @Test("GG-9: an unchanged file is opened once, a changed one again")
    func caching() throws {
        let folder = try ScratchFolder()
        let calls = FaultyFileCalls()
        let cache = GGUFMetadataCache(calls: calls)
        let url = try folder.write(.model(context: 1_024), to: "m.gguf")
        for _ in 0..<3 { #expect(try cache.metadata(at: url).trainingContextLength == 1_024) }
        #expect(calls.openedModels == ["m.gguf"])
        try folder.write(.model(context: 2_048, [("general.name", .string("x"))]), to: "m.gguf")
        #expect(try cache.metadata(at: url).trainingContextLength == 2_048)
        #expect(calls.openedModels.count == 2)
        try folder.setModified("m.gguf", Date(timeIntervalSince1970: 5))
        _ = try cache.metadata(at: url)
        #expect(calls.openedModels.count == 3)
    }

    @Test("GG-9: the cache holds neither too many files nor too much text, and keeps what was used last")
    func bounds() throws {
        let folder = try ScratchFolder()
        let calls = FaultyFileCalls()
        let cache = GGUFMetadataCache(calls: calls, maximumCount: 2)
        let urls = try (0..<3).map { try folder.write(.model(), to: "m\($0).gguf") }
        for url in [urls[0], urls[1], urls[0], urls[2]] { _ = try cache.metadata(at: url) }
        #expect(cache.count == 2)
        _ = try cache.metadata(at: urls[0])
        #expect(calls.openedModels == ["m0.gguf", "m1.gguf", "m2.gguf"])

        let small = GGUFMetadataCache(calls: calls, maximumSize: 1_000)
        let long = GGUFBuilder.model([("tokenizer.chat_template", .string(String(repeating: "x", count: 2_000)))])
        _ = try small.metadata(at: try folder.write(long, to: "long.gguf"))
        #expect(small.count == 0)
        for url in urls { _ = try small.metadata(at: url) }
        #expect(small.count == 1)
    }
}
