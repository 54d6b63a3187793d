import GGUFFormat
import TestSupport
import Testing

@Suite("GGUF model facts")
struct GGUFModelFactsTests {
    typealias Value = GGUFBuilder.Value

    private func facts(_ keyValues: [(String, Value)]) throws -> GGUFModelFacts {
        var builder = GGUFBuilder()
        for (key, value) in keyValues { builder.add(key, value) }
        return try builder.facts()
    }

    @Test("the plain facts are taken over")
    func plain() throws {
        let facts = try facts([
            ("general.architecture", .string("qwen3")), ("general.type", .string("model")),
            ("general.name", .string("Pocket")), ("tokenizer.ggml.model", .string("gpt2")),
            ("split.no", .uint16(1)), ("split.count", .uint16(3)), ("split.tensors.count", .int32(57)),
            ("general.file_type", .uint32(15)),
        ])
        #expect(facts.version == 3)
        #expect(facts.architecture == "qwen3")
        #expect(facts.generalType == "model")
        #expect(facts.name == "Pocket")
        #expect(facts.tokenizerModel == "gpt2")
        #expect(facts.splitIndex == 1)
        #expect(facts.splitCount == 3)
        #expect(facts.splitTensorCount == 57)
        #expect(facts.fileType == 15)
        #expect(facts.quantization == "Q4_K_M")
    }

    @Test("GG-5: a wrongly typed key is absent, the others stay")
    func wrongTypes() throws {
        let facts = try facts([
            ("general.architecture", .uint32(1)), ("general.name", .string("kept")),
            ("general.file_type", .string("15")),
            ("split.no", .float32(0)), ("tokenizer.chat_template", .int32s([1])),
            ("general.sampling.temp", .string("1")),
        ])
        #expect(facts.architecture == nil)
        #expect(facts.name == "kept")
        #expect(facts.fileType == nil)
        #expect(facts.splitIndex == nil)
        #expect(facts.chatTemplates.standard == nil)
        #expect(facts.sampling.temperature == nil)
    }

    @Test("GG-6 F14: the key of the architecture decides")
    func ownContext() throws {
        let keys: [(String, Value)] = [
            ("stablelm.context_length", .uint32(4_096)), ("llama.context_length", .uint32(512)),
        ]
        #expect(try facts([("general.architecture", .string("stablelm"))] + keys).trainingContextLength == 4_096)
        #expect(try facts(keys).trainingContextLength == nil)
        #expect(try facts([("general.architecture", .string("other"))] + keys).trainingContextLength == nil)
    }

    @Test("GG-6: the only key counts when the architecture has none")
    func onlyContext() throws {
        let key: (String, Value) = ("llama.context_length", .uint32(512))
        #expect(try facts([key]).trainingContextLength == 512)
        #expect(try facts([("general.architecture", .string("qwen3")), key]).trainingContextLength == 512)
        #expect(try facts([("llama.rope.scaling.original_context_length", .uint32(8))]).trainingContextLength == nil)
        #expect(try facts([]).trainingContextLength == nil)
    }

    @Test(
        "GG-6 F14: wide integers are accepted, numbers below 1 and other types are not",
        arguments: [
            (.uint32(32_768), 32_768), (.uint64(262_144), 262_144), (.int32(2_048), 2_048), (.int64(1), 1),
            (.int32(-1), nil), (.int64(.min), nil), (.uint32(0), nil), (.uint64(.max), nil), (.float32(4_096), nil),
            (.string("4096"), nil), (.uint16(4_096), nil), (.int32s([4_096]), nil),
        ] as [(Value, Int?)])
    func contextTypes(value: Value, expected: Int?) throws {
        let named = try facts([("general.architecture", .string("llama")), ("llama.context_length", value)])
        #expect(named.trainingContextLength == expected)
        #expect(try facts([("llama.context_length", value)]).trainingContextLength == expected)
    }

    @Test("GG-6: an own key without a usable number does not make room for a foreign one")
    func ownZero() throws {
        let facts = try facts([
            ("general.architecture", .string("llama")), ("llama.context_length", .uint32(0)),
            ("x.context_length", .uint32(9)),
        ])
        #expect(facts.trainingContextLength == nil)
    }

    @Test("F14: an adapter is recognisable and has no invented context")
    func adapter() throws {
        let facts = try facts([("general.type", .string("adapter")), ("general.architecture", .string("llama"))])
        #expect(facts.generalType == "adapter")
        #expect(facts.trainingContextLength == nil)
    }

    @Test("GG-7: the largest number of prediction layers counts, whatever the prefix")
    func prediction() throws {
        let llama: (String, Value) = ("general.architecture", .string("llama"))
        #expect(try facts([llama]).nextNPredictLayers == nil)
        #expect(try facts([llama, ("gemma4.nextn_predict_layers", .uint32(4))]).nextNPredictLayers == 4)
        let several = try facts([
            ("a.nextn_predict_layers", .uint32(1)), ("b.nextn_predict_layers", .uint64(3)),
            ("c.nextn_predict_layers", .string("9")), ("d.nextn_predict_layers", .int32(2)),
        ])
        #expect(several.nextNPredictLayers == 3)
        #expect(try facts([("a.nextn_predict_layers", .uint32(0))]).nextNPredictLayers == 0)
    }

    @Test(
        "GG-10: the header's code wins over the file name, which stands in for it",
        arguments: [
            (.uint32(15), "m-Q8_0.gguf", "Q4_K_M"), (.uint32(1_024 + 7), "m-Q4_0.gguf", "Q8_0"),
            (.uint32(999), "m-q8_0.gguf", "Q8_0"), (nil, "m-IQ4_XS.gguf", "IQ4_XS"), (nil, "model.gguf", nil),
            (.int32(-1), "model.gguf", nil),
        ] as [(Value?, String, String?)])
    func quantization(code: Value?, fileName: String, expected: String?) throws {
        var builder = GGUFBuilder()
        if let code { builder.add("general.file_type", code) }
        #expect(try builder.facts(fileName: fileName).quantization == expected)
    }

    @Test("facts of a big-endian file are the same")
    func bigEndian() throws {
        let facts = try GGUFBuilder.smallModel(isBigEndian: true).facts()
        let little = try GGUFBuilder.smallModel().facts()
        #expect(facts.isBigEndian)
        #expect(facts.trainingContextLength == 32_768)
        #expect(facts.chatTemplates == little.chatTemplates)
        #expect(facts.architecture == little.architecture)
    }
}
