/// The events of a generation, which runs while they are read.
///
/// ```swift
/// for try await event in engine.stream(request) {
///     if case .contentDelta(.final, let text, _) = event { print(text, terminator: "") }
/// }
/// ```
///
/// - Creating a stream does nothing. The first `next()` of an iterator starts a generation, so iterating twice
///   generates twice.
/// - Events are kept until they are read: a slow reader loses nothing and holds up nothing.
/// - Leaving the loop or dropping the iterator cancels the generation.
/// - Cancelling the reading task cancels it too. The reader still receives what was generated until then, and then
///   `CancellationError`: cancellation never looks like a normal end.
/// - A success ends with `done` and exactly one `completed`, after which the iterator returns nil.
public struct LLMGenerationStream: AsyncSequence, Sendable {
    /// An event of the generation.
    public typealias Element = LLMGenerationStreamEvent

    /// Reads one generation's events; copies read from the same generation.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        private let production: StreamProduction<LLMGenerationStreamEvent>

        fileprivate init(_ body: @escaping StreamProduction<LLMGenerationStreamEvent>.Body) {
            production = StreamProduction(body: body) { event in
                if case .completed = event { true } else { false }
            }
        }

        /// The next event, or nil after the last one.
        public mutating func next() async throws -> LLMGenerationStreamEvent? {
            try await production.next()
        }
    }

    private let body: StreamProduction<LLMGenerationStreamEvent>.Body

    /// Creates a stream from what one generation does.
    ///
    /// The body runs anew, in a task of its own, for each iterator. What it emits is delivered in order, its error
    /// is thrown after the last event, and what it emits after it returned is dropped. It must end soon after its
    /// task is cancelled, because a cancelled reader waits for its last events.
    public init(
        _ body:
            @escaping @Sendable (
                _ emit: @escaping @Sendable (LLMGenerationStreamEvent) -> Void
            ) async throws -> Void
    ) {
        self.body = body
    }

    /// Prepares a new generation, which starts with the iterator's first `next()`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body)
    }

    /// Runs one generation to its end and returns its result.
    public func result() async throws -> LLMGenerationResult {
        try await result { _ in }
    }

    /// Runs one generation to its end, handing its events on one at a time, and returns its result.
    ///
    /// - Parameter onEvent: Called in this task, never after this returned or threw.
    /// - Returns: The result of the generation.
    /// - Throws: What the generation throws; ``LLMEngineError/decodeFailed(_:)`` when it ends without a result.
    package func result(onEvent: (LLMGenerationStreamEvent) -> Void) async throws -> LLMGenerationResult {
        var result: LLMGenerationResult?
        for try await event in self {
            if case .completed(let completed) = event { result = completed }
            onEvent(event)
        }
        guard let result else { throw LLMEngineError.decodeFailed("the generation ended without a result") }
        return result
    }
}
