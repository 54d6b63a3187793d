import CarbocationLlamaRuntime
import CarbocationLocalLLM

/// `smoke`: tries everything once with one model.
struct SmokeCommand: Command {
    static let specification = CommandSpecification(
        path: ["smoke"], summary: "Loads a model, streams a short answer, asks for JSON, and says 'smoke: ok'.",
        positional: .init(name: "MODEL", help: ModelArguments.help), options: [])

    private let model: ModelArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        if arguments.positional?.isEmpty == true { throw arguments.usage("MODEL may not be empty") }
        model = ModelArguments(reference: arguments.positional)
    }

    func run(in context: CommandContext) async throws {
        let url = try await context.modelFile(model.reference)
        try await context.withModel(
            at: url, context: Self.contextSize, configuration: model.configuration
        ) { loaded, loadTime in
            if let details = loaded.details {
                try context.print(SmokeDetails(details, versions: context.runtime.versions, loadTime: loadTime).text)
            }
            let reader = GenerationReader(engine: loaded.engine, now: context.environment.now)
            try await Self.streamAnswer(with: reader, in: context)
            try await Self.askForJSON(with: reader, in: context)
        }
        try context.print("smoke: ok\n")
    }

    /// Enough for both questions on any model.
    private static let contextSize = 2048

    /// Streams a short answer and checks that it arrived piece by piece and whole.
    private static func streamAnswer(with reader: GenerationReader, in context: CommandContext) async throws {
        let request = LLMGenerationRequest(
            prompt: "Say hello and tell in one sentence what you can do.",
            options: GenerationOptions(temperature: 0, maxOutputTokens: 48))
        var meter = GenerationMeter(start: .zero)
        var presenter = TextPresenter(output: context.output, asides: nil)
        var events = EventTally()
        let result = try await reader.run(request, meter: &meter) { event in
            events.count(event)
            try presenter.show(event)
        }
        try presenter.finish()
        try context.print("events: \(events.text)\n")
        guard !result.finalText.isEmpty, result.generatedTokens > 0 else {
            let reason = "The model's answer is empty (stop reason \(result.stopReason.rawValue))."
            throw CommandFailure(.checkFailed, reason)
        }
    }

    /// Asks under a grammar and checks that the answer is JSON of the form asked for.
    private static func askForJSON(with reader: GenerationReader, in context: CommandContext) async throws {
        let request = LLMGenerationRequest(
            prompt: "Describe the city of Paris as JSON with the keys name and country.",
            options: GenerationOptions(temperature: 0, maxOutputTokens: 128, grammar: grammar))
        var meter = GenerationMeter(start: .zero)
        let result = try await reader.run(request, meter: &meter)
        guard let value = try? LLMJSONValue(jsonString: result.finalText) else {
            let reason = "The answer under a grammar is no JSON (stop reason \(result.stopReason.rawValue))."
            throw CommandFailure(.checkFailed, reason)
        }
        guard value.objectValue?.keys == ["name", "country"] else {
            throw CommandFailure(.checkFailed, "The answer under a grammar lacks the keys that the grammar demands.")
        }
        try context.print("json: \(value.jsonString(sortedKeys: true))\n")
    }

    /// Bounded everywhere, so that even a model that cannot write JSON ends.
    private static let grammar = #"""
        root ::= "{" "\"name\":" " "? text "," " "? "\"country\":" " "? text "}"
        text ::= "\"" [A-Za-z ]{1,24} "\""
        """#
}
