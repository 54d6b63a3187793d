import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CLLMCommands

@Suite struct ModelsShowCommandTests {
    private let folder = ModelsFolder()

    private static let model = GGUFBuilder.small([
        ("general.name", .string("Small\u{1B}[2J")), ("general.file_type", .uint32(7)),
        ("tokenizer.ggml.model", .string("gpt2")), ("tokenizer.chat_template", .string("{{ messages }}")),
        ("tokenizer.chat_templates", .strings(["tool_use", "rag"])),
        ("tokenizer.chat_template.tool_use", .string("{{ tools }}")),
        ("tokenizer.chat_template.rag", .string("{{ documents }}")),
        ("general.sampling.temp", .float32(0.5)), ("general.sampling.top_k", .int32(64)),
        ("llama.nextn_predict_layers", .uint32(1)),
    ])

    @Test("--json has exactly the facts that are promised")
    func json() async throws {
        let bytes = Self.model.bytes()
        let path = try folder.write(bytes, to: "m.gguf")
        let sampling: LLMJSONValue = [
            "temperature": 0.5, "topP": nil, "topK": 64, "minP": nil, "presencePenalty": nil,
            "repetitionPenalty": nil, "seed": nil,
        ]
        let expected: LLMJSONValue = [
            "architecture": "llama", "trainingContextLength": 32_768, "quantization": "Q8_0", "parameterCount": 32,
            "fileSize": .int(Int64(bytes.count)), "hasChatTemplate": true, "chatTemplateNames": ["rag", "tool_use"],
            "nextNPredictLayers": 1, "samplingDefaults": sampling, "splitCount": nil, "tokenizerModel": "gpt2",
        ]
        #expect(try await folder.succeed("models", "show", path, "--json").json() == expected)
    }

    @Test("text shows what is known, and nothing that steers the terminal")
    func text() async throws {
        let path = try folder.write(Self.model.bytes(), to: "m.gguf")
        let lines = try await folder.succeed("models", "show", path).session.output.lines
        #expect(lines.first == "name:               Small [2J")
        #expect(lines.contains("training context:   32768 tokens"))
        #expect(lines.contains("chat template:      standard, rag, tool_use"))
        #expect(lines.contains("sampling:           temperature 0.5, topK 64"))
        #expect(!lines.contains { $0.hasPrefix("parts:") })
    }

    @Test("shows an installed model by its name, and a file without a template")
    func installed() async throws {
        try await folder.install()
        let outcome = try await folder.succeed("models", "show", "small-Q4_0", "--json")
        #expect(try outcome.json().value(forKey: "hasChatTemplate") == false)
        #expect(try outcome.json().value(forKey: "chatTemplateNames") == [])
        #expect(try outcome.json().value(forKey: "quantization") == "Q4_0")
        #expect(try await folder.succeed("models", "show", "small-Q4_0").output.contains(" none\n"))
    }

    @Test(
        "what is no model, or a damaged one, fails with a reason",
        arguments: [
            Array("hello, I am text".utf8), Array("GGUF".utf8) + [UInt8](repeating: 255, count: 64),
            Array(GGUFBuilder.small().bytes().dropLast(40)),
        ])
    func damagedFiles(bytes: [UInt8]) async throws {
        let path = try folder.write(bytes, to: "m.gguf")
        let outcome = await folder.run("models", "show", path)
        #expect(outcome.code == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.session.errors.lines.count == 1)
    }
}
