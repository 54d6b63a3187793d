import Foundation

/// What the system's language model does in a test.
///
/// ```swift
/// let script = StubScript([[.snapshot("Hel"), .snapshot("Hello")]])
/// try await script.run { … }
/// ```
///
/// Each test has its own, so tests may run at the same time.
@available(macOS 26.0, iOS 26.0, *)
package final class StubScript: Sendable {
    /// A call that the model makes.
    package struct Call: Sendable {
        package var name: String
        package var json: String

        package init(_ name: String, _ json: String) {
            self.name = name
            self.json = json
        }
    }

    /// When calls are in the transcript.
    package enum CallEntries: Sendable, CaseIterable {
        /// Before they run.
        case first
        /// Together with their outputs.
        case last
        /// Not before the reply is over.
        case never
    }

    /// Something that the model does in a reply.
    package enum Step: Sendable {
        /// Gives the whole text so far.
        case snapshot(String)
        /// Calls tools at the same time.
        case calls([Call])
        /// Calls tools, and gives the whole text so far at a moment while they run.
        case writing(String, after: @Sendable () async -> Void, during: [Call])
        /// Does something of the test's, such as to wait.
        case perform(@Sendable () async throws -> Void)
        /// Ends the reply with an error.
        case fail(any Error)
    }

    /// A request that a session was asked.
    package struct Request: Sendable {
        package var prompt: String
        package var options: GenerationOptions
        package var schema: String?
        /// The transcript before the prompt.
        package var transcript: [String]
        package var tools: [String]
    }

    /// The script of the test.
    package static var current: StubScript { scope ?? StubScript([], availability: .unavailable(.modelNotReady)) }

    @TaskLocal private static var scope: StubScript?

    package let availability: SystemLanguageModel.Availability
    package let contextSize: Int
    /// Counts tokens; without it the system does not.
    package let tokenCount: (@Sendable (Transcript) async -> Int)?
    /// When calls are in the transcript.
    package let callEntries: CallEntries
    /// Whether the calls of a turn run at the same time, rather than one after the other.
    package let runsCallsTogether: Bool
    /// Whether the reader of a reply notices that its task was cancelled.
    package let heedsCancellation: Bool

    private let lock = NSLock()
    nonisolated(unsafe) private var turns: [[Step]]
    nonisolated(unsafe) private var log: [Request] = []
    nonisolated(unsafe) private var created = 0
    nonisolated(unsafe) private var cancelled = 0

    /// Creates a script with the steps of each reply.
    package init(
        _ turns: [[Step]], availability: SystemLanguageModel.Availability = .available, contextSize: Int = 4096,
        callEntries: CallEntries = .first, runsCallsTogether: Bool = true, heedsCancellation: Bool = true,
        tokenCount: (@Sendable (Transcript) async -> Int)? = nil
    ) {
        self.turns = turns
        self.availability = availability
        self.contextSize = contextSize
        self.callEntries = callEntries
        self.runsCallsTogether = runsCallsTogether
        self.heedsCancellation = heedsCancellation
        self.tokenCount = tokenCount
    }

    /// Runs a test with this script.
    package func run<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await Self.$scope.withValue(self, operation: body)
    }

    /// What sessions were asked.
    package var requests: [Request] { lock.withLock { log } }

    /// How many sessions were made.
    package var sessionCount: Int { lock.withLock { created } }

    /// How many replies were cancelled.
    package var cancelledReplies: Int { lock.withLock { cancelled } }

    func noteSession() {
        lock.withLock { created += 1 }
    }

    func noteCancellation() {
        lock.withLock { cancelled += 1 }
    }

    func begin(_ request: Request) throws -> [Step] {
        try lock.withLock {
            log.append(request)
            guard !turns.isEmpty else {
                throw LanguageModelSession.GenerationError.assetsUnavailable(
                    LanguageModelSession.GenerationError.Context(debugDescription: "the script is used up"))
            }
            return turns.removeFirst()
        }
    }
}
