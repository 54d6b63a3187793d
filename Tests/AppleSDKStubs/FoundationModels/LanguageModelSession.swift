import Foundation

/// A conversation with the model.
@available(macOS 26.0, iOS 26.0, *)
public final class LanguageModelSession: @unchecked Sendable {
    // `@unchecked` as in the framework; here every access to what changes holds the lock.
    private let script: StubScript
    private let tools: [String: any Tool]
    private let lock = NSLock()
    private var entries: [Transcript.Entry]
    private var isBusy = false

    /// Creates a session.
    @_disfavoredOverload
    public convenience init(
        model: SystemLanguageModel = .default, tools: [any Tool] = [], instructions: String? = nil
    ) {
        let definitions = tools.map { Self.definition(of: $0) }
        let segments = instructions.map { [Transcript.Segment.text(Transcript.TextSegment(content: $0))] } ?? []
        let entry = Transcript.Instructions(segments: segments, toolDefinitions: definitions)
        self.init(entries: segments.isEmpty && definitions.isEmpty ? [] : [.instructions(entry)], tools: tools)
    }

    /// Creates a session that goes on with a conversation.
    public convenience init(
        model: SystemLanguageModel = .default, tools: [any Tool] = [], transcript: Transcript
    ) {
        self.init(entries: transcript.entries, tools: tools)
    }

    private init(entries: [Transcript.Entry], tools: [any Tool]) {
        script = StubScript.current
        self.entries = entries
        self.tools = Dictionary(tools.map { ($0.name, $0) }) { first, _ in first }
        script.noteSession()
    }

    /// What was said.
    public var transcript: Transcript { lock.withLock { Transcript(entries: entries) } }

    /// Whether a reply is being generated.
    public var isResponding: Bool { lock.withLock { isBusy } }

    /// Streams the text of a reply.
    @_disfavoredOverload
    public func streamResponse(
        to prompt: String, options: GenerationOptions = GenerationOptions()
    ) -> sending ResponseStream<String> {
        ResponseStream(
            texts: reply(to: prompt, options: options, schema: nil), heedsCancellation: script.heedsCancellation
        ) { text in
            ResponseStream.Snapshot(content: text, rawContent: GeneratedContent(text))
        }
    }

    /// Streams the text of a reply.
    public func streamResponse(
        to prompt: Prompt, options: GenerationOptions = GenerationOptions()
    ) -> sending ResponseStream<String> {
        streamResponse(to: prompt.text, options: options)
    }

    /// Streams content that follows a schema.
    @_disfavoredOverload
    public func streamResponse(
        to prompt: String, schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
        options: GenerationOptions = GenerationOptions()
    ) -> sending ResponseStream<GeneratedContent> {
        ResponseStream(
            texts: reply(to: prompt, options: options, schema: schema), heedsCancellation: script.heedsCancellation
        ) { text in
            let content = try GeneratedContent(json: text)
            return ResponseStream.Snapshot(content: content, rawContent: content)
        }
    }

    /// Streams content that follows a schema.
    public func streamResponse(
        to prompt: Prompt, schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
        options: GenerationOptions = GenerationOptions()
    ) -> sending ResponseStream<GeneratedContent> {
        streamResponse(
            to: prompt.text, schema: schema, includeSchemaInPrompt: includeSchemaInPrompt, options: options)
    }

    private static func definition(of tool: some Tool) -> Transcript.ToolDefinition {
        Transcript.ToolDefinition(name: tool.name, description: tool.description, parameters: tool.parameters)
    }
}

// MARK: - Replies

@available(macOS 26.0, iOS 26.0, *)
extension LanguageModelSession {
    private func reply(
        to prompt: String, options: GenerationOptions, schema: GenerationSchema?
    ) -> AsyncThrowingStream<String, any Error> {
        let (texts, continuation) = AsyncThrowingStream<String, any Error>.makeStream()
        let wasBusy = lock.withLock { () -> Bool in
            defer { isBusy = true }
            return isBusy
        }
        guard !wasBusy else {
            continuation.finish(
                throwing: GenerationError.concurrentRequests(GenerationError.Context(debugDescription: "is busy")))
            return texts
        }
        let request = StubScript.Request(
            prompt: prompt, options: options, schema: schema?.debugDescription, transcript: transcript.lines,
            tools: tools.keys.sorted())
        let task = Task { await self.run(request, into: continuation) }
        continuation.onTermination = { ending in
            if case .cancelled = ending { task.cancel() }
        }
        return texts
    }

    private func run(
        _ request: StubScript.Request, into continuation: AsyncThrowingStream<String, any Error>.Continuation
    ) async {
        let earlier = lock.withLock { entries }
        do {
            append(.prompt(Transcript.Prompt(segments: Self.segments(request.prompt))))
            var text: String?
            var lateEntries: [Transcript.Entry] = []
            for step in try script.begin(request) {
                try Task.checkCancellation()
                switch step {
                case .snapshot(let snapshot):
                    text = snapshot
                    continuation.yield(snapshot)
                case .calls(let calls): lateEntries += try await answer(calls)
                case .writing(let snapshot, let moment, let calls):
                    async let entries = answer(calls)
                    await moment()
                    text = snapshot
                    continuation.yield(snapshot)
                    lateEntries += try await entries
                case .perform(let body): try await body()
                case .fail(let error): throw error
                }
            }
            try Task.checkCancellation()
            lateEntries.forEach(append)
            if let text {
                append(.response(Transcript.Response(assetIDs: [], segments: Self.segments(text))))
            }
            end()
            continuation.finish()
        } catch {
            if Task.isCancelled { script.noteCancellation() }
            lock.withLock { entries = earlier }
            end()
            continuation.finish(throwing: error)
        }
    }

    /// Runs calls; the entries that are to come at the end of the reply.
    private func answer(_ calls: [StubScript.Call]) async throws -> [Transcript.Entry] {
        let calls = try calls.map { call in
            Transcript.ToolCall(
                id: UUID().uuidString, toolName: call.name, arguments: try GeneratedContent(json: call.json))
        }
        let entry = Transcript.Entry.toolCalls(Transcript.ToolCalls(calls))
        if script.callEntries == .first { append(entry) }
        let texts = try await script.runsCallsTogether ? outputsTogether(of: calls) : outputsInOrder(of: calls)
        let outputs = zip(calls, texts).map { call, text in
            Transcript.Entry.toolOutput(
                Transcript.ToolOutput(id: call.id, toolName: call.toolName, segments: Self.segments(text)))
        }
        switch script.callEntries {
        case .first: outputs.forEach(append)
        case .last: ([entry] + outputs).forEach(append)
        case .never: return [entry] + outputs
        }
        return []
    }

    private func outputsTogether(of calls: [Transcript.ToolCall]) async throws -> [String] {
        try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for (index, call) in calls.enumerated() {
                group.addTask { (index, try await self.output(of: call)) }
            }
            var outputs = [String](repeating: "", count: calls.count)
            for try await (index, output) in group { outputs[index] = output }
            return outputs
        }
    }

    private func outputsInOrder(of calls: [Transcript.ToolCall]) async throws -> [String] {
        var outputs: [String] = []
        for call in calls { outputs.append(try await output(of: call)) }
        return outputs
    }

    private func output(of call: Transcript.ToolCall) async throws -> String {
        guard let tool = tools[call.toolName] else {
            throw GenerationError.decodingFailure(
                GenerationError.Context(debugDescription: "there is no tool \(call.toolName)"))
        }
        do {
            return try await Self.output(of: call, by: tool)
        } catch {
            throw ToolCallError(tool: tool, underlyingError: error)
        }
    }

    private static func output(of call: Transcript.ToolCall, by tool: some Tool) async throws -> String {
        try await output(of: tool, arguments: call.arguments)
    }

    private static func output<T: Tool>(of tool: T, arguments: GeneratedContent) async throws -> String {
        try await tool.call(arguments: try T.Arguments(arguments)).promptRepresentation.text
    }

    private func append(_ entry: Transcript.Entry) {
        lock.withLock { entries.append(entry) }
    }

    private func end() {
        lock.withLock { isBusy = false }
    }

    private static func segments(_ text: String) -> [Transcript.Segment] {
        [.text(Transcript.TextSegment(content: text))]
    }
}
