/// Ends the thinking of running generations from outside.
///
/// Pass one in a request and keep it. A control may be reused, and may serve several generations at once: it then
/// addresses all of them.
public final class LLMGenerationControl: Sendable {
    private struct State {
        var nextID: UInt64 = 0
        var requestCount: UInt64 = 0
        /// The pending message of each running generation.
        var pendingMessages: [UInt64: String?] = [:]
    }

    private let state = Locked(State())
    /// What all generations with this control share, for a control of a run of several generations.
    private let shared: Registration?

    /// Creates a control that no generation uses yet.
    public init() {
        shared = nil
    }

    private init(sharing registration: Registration) {
        shared = registration
    }

    /// How many requests were made since the running generations began; 0 while none runs.
    public var thinkingTerminationRequestCount: UInt64 {
        if let shared { return shared.control.thinkingTerminationRequestCount }
        return state.withLock { $0.requestCount }
    }

    /// Asks the running generations to end their thinking and to answer.
    ///
    /// Takes effect at the next token boundary at which the generation is thinking with complete UTF-8; a newer
    /// request replaces one that is still pending.
    ///
    /// - Parameter message: Text put into the thinking before it ends.
    /// - Returns: False, without effect, while no generation with this control runs.
    @discardableResult
    public func requestThinkingTermination(message: String = "") -> Bool {
        if let shared { return shared.control.requestThinkingTermination(message: message) }
        return state.withLock { state in
            guard !state.pendingMessages.isEmpty else { return false }
            state.requestCount += 1
            for id in state.pendingMessages.keys {
                state.pendingMessages[id] = .some(message)
            }
            return true
        }
    }

    /// Marks the start of a generation, which takes its requests from the returned registration.
    package func beginGeneration() -> Registration {
        if let shared { return Registration(control: shared.control, id: shared.id, endsRequests: false) }
        let id = state.withLock { state in
            defer { state.nextID += 1 }
            state.pendingMessages[state.nextID] = .some(nil)
            return state.nextID
        }
        return Registration(control: self, id: id, endsRequests: true)
    }

    private func takePendingMessage(of id: UInt64) -> String? {
        state.withLock { state in
            guard let pending = state.pendingMessages[id], let message = pending else { return nil }
            state.pendingMessages[id] = .some(nil)
            return message
        }
    }

    private func endGeneration(_ id: UInt64) {
        state.withLock { state in
            state.pendingMessages.removeValue(forKey: id)
            if state.pendingMessages.isEmpty { state.requestCount = 0 }
        }
    }
}

extension LLMGenerationControl {
    /// One running generation's side of a control.
    ///
    /// Ends with ``end()``, or at the latest when it is released.
    package final class Registration: Sendable {
        fileprivate let control: LLMGenerationControl
        fileprivate let id: UInt64
        private let endsRequests: Bool

        fileprivate init(control: LLMGenerationControl, id: UInt64, endsRequests: Bool) {
            self.control = control
            self.id = id
            self.endsRequests = endsRequests
        }

        deinit { end() }

        /// The message of the pending request, which is then no longer pending; nil when there is none.
        package func takeTerminationRequest() -> String? {
            control.takePendingMessage(of: id)
        }

        /// Marks the end of the generation and drops what is still pending; further calls do nothing.
        package func end() {
            if endsRequests { control.endGeneration(id) }
        }

        /// A control for the generations of one run, which take their requests from this registration in turn.
        ///
        /// What is requested between two of them waits for the next one.
        package func controlOfRun() -> LLMGenerationControl {
            LLMGenerationControl(sharing: self)
        }
    }
}
