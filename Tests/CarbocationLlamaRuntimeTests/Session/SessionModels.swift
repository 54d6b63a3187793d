import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

/// Model files for sessions, in a folder that goes with the test.
final class SessionModels {
    /// How replies are written into prompts.
    enum Template: String, CaseIterable {
        /// Between control tokens, without anything about thinking.
        case control = """
            {%- for m in messages %}{{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{%- endfor %}
            {%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}
            """
        /// Between words that are plain text.
        case plain = """
            {%- for m in messages %}{{- m.role + ': ' + m.content + '\\n' }}{%- endfor %}
            {%- if add_generation_prompt %}{{- 'assistant: ' }}{%- endif %}
            """
    }

    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sessions-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// The small trained model with another template.
    func pocket(_ template: Template) throws -> URL {
        var bytes = try Data(contentsOf: PocketModel.url)
        let key = try #require(bytes.range(of: Data("tokenizer.chat_template".utf8)))
        let start = key.upperBound + 12
        let size = bytes[(start - 8)..<start].reversed().reduce(0) { $0 << 8 | Int($1) }
        let text = Data(template.rawValue.utf8)
        // A comment keeps the size, and with it everything else in its place.
        let padding = Data(("{#" + String(repeating: " ", count: size - text.count - 4) + "#}").utf8)
        bytes.replaceSubrange(start..<(start + size), with: text + padding)
        let url = file("\(template).gguf")
        try bytes.write(to: url)
        return url
    }

    func random(_ model: RandomModel) throws -> URL {
        let url = file("\(model.rawValue).gguf")
        try model.write(to: url)
        return url
    }

    /// A session on one thread.
    static func session(
        _ url: URL = PocketModel.url, system: String = "", context: Int = 2048,
        _ change: (inout LlamaEngineConfiguration) -> Void = { _ in }
    ) async throws -> LlamaSession {
        try await LlamaSession(
            model: LlamaModelDescriptor(url: url), requestedContext: context,
            configuration: configuration(change), system: system)
    }

    static func restored(
        _ file: URL, model: URL? = PocketModel.url, _ change: (inout LlamaEngineConfiguration) -> Void = { _ in }
    ) async throws -> LlamaSession {
        try await LlamaSession(restoring: file, configuration: configuration(change)) { _ in
            model.map { LlamaModelDescriptor(url: $0) }
        }
    }

    static func configuration(
        _ change: (inout LlamaEngineConfiguration) -> Void = { _ in }
    ) -> LlamaEngineConfiguration {
        // With drafts a text without end would soon reach the end of its context.
        var configuration = LlamaEngineConfiguration(
            gpuLayerCount: 0, threadCount: 1, accelerationPolicy: .disabled)
        change(&configuration)
        return configuration
    }

    /// Cancels a turn with its first token.
    static func cancelTurn(of session: LlamaSession, options: GenerationOptions) async throws {
        let cancel = Locked<(@Sendable () -> Void)?>(nil)
        let isReady = OneShot<Void>()
        let task = Task {
            await isReady.value()
            try await session.turn(prompt: "QQQQ") { turn in
                _ = try await turn.reply(options: options) { event in
                    if case .tokenChunk = event { cancel.withLock { $0?() } }
                }
            }
        }
        cancel.withLock { $0 = { task.cancel() } }
        isReady.resolve(())
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// An engine on one thread.
    static func engine(_ url: URL) async throws -> LlamaEngine {
        let engine = LlamaEngine(configuration: configuration())
        try await engine.load(modelAt: url, requestedContext: 2048)
        return engine
    }
}

extension GenerationOptions {
    /// The likeliest tokens.
    static func greedy(_ limit: Int = 60, thinks: Bool = false) -> GenerationOptions {
        GenerationOptions(temperature: 0, maxOutputTokens: limit, enableThinking: thinks)
    }

    /// Letters in tokens that the model would hardly choose for them.
    static func odd(seed: UInt32, limit: Int = 24) -> GenerationOptions {
        var options = GenerationOptions(temperature: 5, maxOutputTokens: limit, seed: seed)
        options.grammar = "root ::= [a-z ]+"
        return options
    }

    /// Text without end.
    static var endless: GenerationOptions {
        var options = GenerationOptions(temperature: 0)
        options.grammar = #"root ::= "a" root"#
        return options
    }
}

extension LLMGenerationResult {
    /// What a turn is compared by.
    var gist: [String] { [rawGeneratedText ?? "", "\(promptTokens)", "\(generatedTokens)", stopReason.rawValue] }
}
