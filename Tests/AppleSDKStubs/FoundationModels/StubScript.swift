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

    /// Something that the model does in a reply.
    package enum Step: Sendable {
        /// Gives the whole text so far.
        case snapshot(String)
        /// Calls tools at the same time.
        case calls([Call])
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
    package let tokenCount: (@Sendable (Transcript) -> Int)?
    /// Whether calls are in the transcript before they run, rather than afterwards.
    package let tellsCallsAtOnce: Bool

    private let lock = NSLock()
    nonisolated(unsafe) private var turns: [[Step]]
    nonisolated(unsafe) private var log: [Request] = []
    nonisolated(unsafe) private var created = 0
    nonisolated(unsafe) private var cancelled = 0

    /// Creates a script with the steps of each reply.
    package init(
        _ turns: [[Step]], availability: SystemLanguageModel.Availability = .available, contextSize: Int = 4096,
        tellsCallsAtOnce: Bool = true, tokenCount: (@Sendable (Transcript) -> Int)? = nil
    ) {
        self.turns = turns
        self.availability = availability
        self.contextSize = contextSize
        self.tellsCallsAtOnce = tellsCallsAtOnce
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
