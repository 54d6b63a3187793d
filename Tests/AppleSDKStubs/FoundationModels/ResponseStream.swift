@available(macOS 26.0, iOS 26.0, *)
extension LanguageModelSession {
    /// A reply; not `Sendable`, as in the framework.
    public struct Response<Content> where Content: Generable {
        /// The value.
        public let content: Content
        /// The value as it was generated.
        public let rawContent: GeneratedContent
    }

    /// A reply while it is generated; not `Sendable`, as in the framework.
    public struct ResponseStream<Content>: AsyncSequence where Content: Generable {
        /// The whole reply so far; not `Sendable`, as in the framework.
        public struct Snapshot {
            /// The value so far.
            public var content: Content.PartiallyGenerated
            /// The value as it was generated.
            public var rawContent: GeneratedContent
        }

        /// Reads the reply.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let texts: TextReader
            fileprivate let heedsCancellation: Bool
            fileprivate let snapshot: (String) throws -> Snapshot

            /// The next snapshot.
            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Snapshot? {
                guard !heedsCancellation else { return try await texts.next().map(snapshot) }
                // A task of its own is not cancelled with the reader.
                return try await Task { [texts] in try await texts.next() }.value.map(snapshot)
            }
        }

        private let texts: AsyncThrowingStream<String, any Error>
        private let heedsCancellation: Bool
        private let snapshot: (String) throws -> Snapshot

        init(
            texts: AsyncThrowingStream<String, any Error>, heedsCancellation: Bool,
            snapshot: @escaping (String) throws -> Snapshot
        ) {
            self.texts = texts
            self.heedsCancellation = heedsCancellation
            self.snapshot = snapshot
        }

        /// Begins to read.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(
                texts: TextReader(texts.makeAsyncIterator()), heedsCancellation: heedsCancellation, snapshot: snapshot)
        }
    }
}

/// Reads texts, one at a time.
// `@unchecked` because only the one task that reads a reply calls it, and waits for each text.
private final class TextReader: @unchecked Sendable {
    private var texts: AsyncThrowingStream<String, any Error>.AsyncIterator

    init(_ texts: AsyncThrowingStream<String, any Error>.AsyncIterator) {
        self.texts = texts
    }

    func next() async throws -> String? {
        try await texts.next()
    }
}
