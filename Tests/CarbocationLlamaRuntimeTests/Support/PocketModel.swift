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
        fileprivate(set) var tools: [LLMJSONValue]
        var messages: [Message]
        /// The raw text that follows, tags included.
        var expected: String

        var testDescription: String { id }

        var definitions: [LLMToolDefinition] {
            tools.compactMap { tool in
                let function = tool.value(forKey: "function")
                guard let name = function?.value(forKey: "name")?.stringValue else { return nil }
                return LLMToolDefinition(
                    name: name, description: function?.value(forKey: "description")?.stringValue ?? "A tool.",
                    parameters: function?.value(forKey: "parameters") ?? LLMToolDefinition.noParameters)
            }
        }

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

    private static let allDialogues: [Dialogue] = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let data = try? Data(contentsOf: folder.appendingPathComponent("eval.json")),
            let all = try? decoder.decode([Dialogue].self, from: data),
            // Their parameters' names stay as they are, and in order.
            let tools = try? LLMJSONValue(jsonString: String(decoding: data, as: UTF8.self)).arrayValue
        else { return [] }
        return zip(all, tools).map { dialogue, object in
            var dialogue = dialogue
            dialogue.tools = object.value(forKey: "tools")?.arrayValue ?? []
            return dialogue
        }
    }()

    /// Dialogues without tools, a sample spread over all behaviours.
    static let dialogues = sample(allDialogues.filter(\.tools.isEmpty), step: 5)

    /// Dialogues with tools in which only system and user have spoken.
    static let toolDialogues = sample(
        allDialogues.filter { dialogue in
            !dialogue.tools.isEmpty && dialogue.messages.allSatisfy { $0.role == "system" || $0.role == "user" }
        }, step: 6)

    private static func sample(_ dialogues: [Dialogue], step: Int) -> [Dialogue] {
        stride(from: 0, to: dialogues.count, by: step).map { dialogues[$0] }
    }

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
