/// The events of a run with tools, which runs while they are read.
///
/// The rules are those of ``LLMGenerationStream``: each iterator is a run of its own, events are kept until they are
/// read, and dropping the iterator or cancelling the reading task cancels the run, running tools included.
public struct LLMToolGenerationStream: AsyncSequence, Sendable {
    /// An event of the run.
    public typealias Element = LLMToolGenerationStreamEvent

    /// Reads one run's events; copies read from the same run.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        private let production: StreamProduction<LLMToolGenerationStreamEvent>

        fileprivate init(_ body: @escaping StreamProduction<LLMToolGenerationStreamEvent>.Body) {
            production = StreamProduction(body: body) { event in
                if case .completed = event { true } else { false }
            }
        }

        /// The next event, or nil after the last one.
        public mutating func next() async throws -> LLMToolGenerationStreamEvent? {
            try await production.next()
        }
    }

    private let body: StreamProduction<LLMToolGenerationStreamEvent>.Body

    /// Creates a stream from what one run does.
    ///
    /// The body runs anew, in a task of its own, for each iterator. What it emits is delivered in order, its error is
    /// thrown after the last event, and what it emits after it returned is dropped. It must end soon after its task is
    /// cancelled, because a cancelled reader waits for its last events.
    public init(
        _ body:
            @escaping @Sendable (
                _ emit: @escaping @Sendable (LLMToolGenerationStreamEvent) -> Void
            ) async throws -> Void
    ) {
        self.body = body
    }

    /// Prepares a new run, which starts with the iterator's first `next()`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body)
    }

    /// Runs once to the end, handing the events on one at a time, and returns the result.
    ///
    /// - Parameter onEvent: Called in this task, never after this returned or threw.
    /// - Returns: The result of the run.
    /// - Throws: What the run throws; ``LLMEngineError/decodeFailed(_:)`` when it ends without a result.
    package func result(
        onEvent: (LLMToolGenerationStreamEvent) -> Void = { _ in }
    ) async throws -> LLMToolPhasedGenerationResult {
        var result: LLMToolPhasedGenerationResult?
        for try await event in self {
            if case .completed(let completed) = event { result = completed }
            onEvent(event)
        }
        guard let result else { throw LLMEngineError.decodeFailed("the run ended without a result") }
        return result
    }
}
