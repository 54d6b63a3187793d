/// Decides about each call of a tool before it runs.
///
/// ```swift
/// let approval = LLMToolApproval { call in
///     call.name == "load_webpage" ? .deny(reason: "The user is offline.") : .allow
/// }
/// ```
public struct LLMToolApproval: Sendable {
    /// What becomes of a call.
    public enum Decision: Sendable, Hashable {
        /// The tool runs.
        case allow
        /// The tool does not run, and the model is told the reason.
        case deny(reason: String)
    }

    private let decide: @Sendable (LLMToolCall) async throws -> Decision

    /// Creates an approval.
    ///
    /// - Parameter decide: Asked once for each call of a declared tool with arguments that fit, also for several calls
    ///   at once. It may wait for a person; its time does not count for the tool's limit. An error that it throws denies
    ///   the call, `CancellationError` ends the run.
    public init(_ decide: @escaping @Sendable (LLMToolCall) async throws -> Decision) {
        self.decide = decide
    }

    /// Allows every call.
    public static var automatic: LLMToolApproval {
        LLMToolApproval { _ in .allow }
    }

    /// The decision about a call.
    package func decision(on call: LLMToolCall) async throws -> Decision {
        try await decide(call)
    }
}
