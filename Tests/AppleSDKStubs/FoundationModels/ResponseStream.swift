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
            fileprivate var texts: AsyncThrowingStream<String, any Error>.AsyncIterator
            fileprivate let snapshot: (String) throws -> Snapshot

            /// The next snapshot.
            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Snapshot? {
                try await texts.next(isolation: actor).map(snapshot)
            }
        }

        private let texts: AsyncThrowingStream<String, any Error>
        private let snapshot: (String) throws -> Snapshot

        init(
            texts: AsyncThrowingStream<String, any Error>, snapshot: @escaping (String) throws -> Snapshot
        ) {
            self.texts = texts
            self.snapshot = snapshot
        }

        /// Begins to read.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(texts: texts.makeAsyncIterator(), snapshot: snapshot)
        }
    }
}
