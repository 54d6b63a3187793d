import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Foundation
import Testing

/// The small trained model of the test tree, and the dialogues whose greedy text is known.
enum PocketModel {
    struct Dialogue: Decodable, Sendable, CustomTestStringConvertible {
        struct Message: Decodable, Sendable {
            var role: String
            var content: String?
            var reasoningContent: String?
        }

        var id: String
        var enableThinking: Bool
        var tools: [LLMJSONValue]
        var messages: [Message]
        /// The raw text that follows, tags included.
        var expected: String

        var testDescription: String { id }

        var request: LLMGenerationRequest {
            let messages = messages.map { message in
                LLMChatMessage(
                    role: LLMChatRole(rawValue: message.role) ?? .user, content: message.content ?? "",
                    reasoningContent: message.reasoningContent)
            }
            return LLMGenerationRequest(
                messages: messages,
                options: GenerationOptions(temperature: 0, maxOutputTokens: 160, enableThinking: enableThinking))
        }
    }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Fixtures/pocket-toolbot").standardizedFileURL
    static let url = folder.appendingPathComponent("pocket-toolbot.gguf")

    /// Dialogues without tools, a sample spread over all behaviours.
    static let dialogues: [Dialogue] = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let data = try? Data(contentsOf: folder.appendingPathComponent("eval.json")),
            let all = try? decoder.decode([Dialogue].self, from: data)
        else { return [] }
        let plain = all.filter(\.tools.isEmpty)
        return stride(from: 0, to: plain.count, by: 5).map { plain[$0] }
    }()

    /// An engine with the model loaded.
    ///
    /// Tiny models run on one thread: more of them only wait for each other.
    static func engine(
        context: Int = 2048, _ change: (inout LlamaEngineConfiguration) -> Void = { _ in }
    ) async throws -> LlamaEngine {
        var configuration = LlamaEngineConfiguration(gpuLayerCount: 0, threadCount: 1)
        change(&configuration)
        let engine = LlamaEngine(configuration: configuration)
        try await engine.load(modelAt: url, requestedContext: context)
        return engine
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs only in builds with llama.cpp.
    static var needsRuntime: Self {
        .enabled("build with a llama artifact: run \"make setup\"") { LlamaRuntimeInfo.isAvailable }
    }
}
