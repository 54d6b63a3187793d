import CLlama
import Foundation
import Testing

@Suite("Loading a model", .needsRuntime)
struct ModelLoadTests {
    @Test("The file's facts are read")
    func info() throws {
        let model = try Model(Files.pocketModel)
        let info = model.info
        #expect(info.vocabulary_size == 1024)
        #expect(info.training_context == 2048)
        #expect(info.layer_count == 5)
        #expect(info.parameter_count > 900_000)
        #expect(info.has_decoder && !info.has_encoder)
        #expect(!info.is_recurrent && !info.is_hybrid)
        #expect(info.sliding_window == 0)
        #expect(!info.adds_bos && !info.adds_eos)
        #expect(info.bos_token == 1015)
        #expect(info.eos_token == 1017 && info.eot_token == 1017)
        #expect(info.has_vocabulary)
        #expect(model.description.contains("qwen3"))
    }

    @Test("The default chat template is found, an unknown one is not")
    func template() throws {
        let model = try Model(Files.pocketModel)
        #expect(model.template(nil)?.contains("<|im_start|>") == true)
        #expect(model.template("no-such-variant") == nil)
        #expect(model.template("%s%n") == nil)
    }

    @Test("What is no readable file is refused at once", arguments: ["", "/nowhere/model.gguf", "/", "/dev/null"])
    func unreadable(path: String) {
        let expected = path.isEmpty ? CL_INVALID_ARGUMENT : CL_MODEL_LOAD_FAILED
        #expect(status { _ = try Model.load(path, cl_model_params()) } == expected)
    }

    @Test("A pipe does not block")
    func pipe() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        #expect(reason { _ = try Model.load(path, cl_model_params()) } == "the model is no regular file")
    }

    @Test("LR-5: progress that says no cancels the load")
    func cancel() throws {
        var params = cl_model_params()
        params.progress = { _, _ in false }
        #expect(status { _ = try Model.load(Files.pocketModel.path, params) } == CL_CANCELLED)
    }

    @Test("Progress grows to 1")
    func progress() throws {
        final class Fractions {
            var values: [Float] = []
        }
        let fractions = Fractions()
        try withExtendedLifetime(fractions) {
            var params = cl_model_params()
            params.progress_context = Unmanaged.passUnretained(fractions).toOpaque()
            params.progress = { fraction, context in
                Unmanaged<Fractions>.fromOpaque(context!).takeUnretainedValue().values.append(fraction)
                return true
            }
            cl_model_free(try Model.load(Files.pocketModel.path, params))
        }
        #expect(fractions.values.last == 1)
        #expect(fractions.values == fractions.values.sorted())
    }

    @Test("Without its weights a model tokenises but cannot be computed")
    func vocabularyOnly() throws {
        let model = try Model(Files.pocketModel, vocabularyOnly: true)
        #expect(try !model.tokens(.input("Hello")).isEmpty)
        #expect(status { _ = try Context(model) } == CL_CONTEXT_UNSUPPORTED)
    }

    @Test("Encoder-only models load, say so, and get no context")
    func encoder() throws {
        guard let url = Files.vocabularies.first(where: { $0.path.contains("nomic-bert") }) else { return }
        let model = try Model(url, vocabularyOnly: true)
        #expect(status { _ = try Context(model) } == CL_CONTEXT_UNSUPPORTED)
    }

    @Test("A model without a vocabulary can be asked anything")
    func noVocabulary() throws {
        var builder = TinyModel.builder(letters: [1, 2, 3])
        builder.metadata.removeAll { $0.key.hasPrefix("tokenizer.") }
        builder.set("tokenizer.ggml.model", .string("no_vocab"))
        builder.set("llama.vocab_size", .uint32(6))
        let model = try Files.model(builder.data)
        #expect(!model.info.has_vocabulary)
        #expect(model.info.vocabulary_size == 6)
        #expect(status { _ = try model.tokens(.input("a")) } == CL_TOKENIZE_FAILED)
        #expect(model.bytes(1).isEmpty)
        #expect(!model.endsGeneration(1) && !model.isControl(1))
        #expect(model.special("<s>") == -1)
        #expect(status { _ = try Sampler(model, grammar: "root ::= \"a\"") } == CL_GRAMMAR_INVALID)
        let context = try Context(model)
        try context.append([0, 1])
        #expect(try Sampler(model).sample(context, index: 1) == 5)
    }

    @Test("Freeing nothing is allowed")
    func freeNothing() {
        cl_model_free(nil)
        cl_context_free(nil)
        cl_sampler_free(nil)
    }
}
