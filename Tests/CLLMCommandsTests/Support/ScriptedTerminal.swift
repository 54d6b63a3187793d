import CarbocationLocalLLM

@testable import CLLMCommands

/// A terminal at which somebody types what is given.
final class ScriptedTerminal: TerminalDevice {
    private struct State {
        var typed: [[UInt8]]
        var waiting: [[UInt8]]
        var output = ""
        var isTakenOver = false
        var suspensions = 0
        /// Whether something happened at the wrong time.
        var isConfused = false
    }

    let size = TerminalSize(columns: 60, rows: 10)
    private let state: Locked<State>
    private let staysOpen: Bool
    private let failsToTakeOver: Bool

    /// - Parameters:
    ///   - typed: what arrives at once each time.
    ///   - waiting: what is found at each look that does not wait.
    ///   - staysOpen: whether nothing arrives then, instead of the end.
    ///   - failsToTakeOver: whether it is taken over in part only.
    init(_ typed: [String], waiting: [String] = [], staysOpen: Bool = false, failsToTakeOver: Bool = false) {
        state = Locked(State(typed: typed.map { Array($0.utf8) }, waiting: waiting.map { Array($0.utf8) }))
        self.failsToTakeOver = failsToTakeOver
        self.staysOpen = staysOpen
    }

    var output: String { state.withLock(\.output) }
    var suspensions: Int { state.withLock(\.suspensions) }
    /// Whether it was given back, and never used while it was not taken over.
    var isRestored: Bool { state.withLock { !$0.isTakenOver && !$0.isConfused } }

    func takeOver() throws {
        state.withLock { $0.isTakenOver = true }
        if failsToTakeOver { throw CommandFailure(.inputUnreadable, "The terminal cannot be set up.") }
    }

    func restore() {
        state.withLock { $0.isTakenOver = false }
    }

    func read() async throws -> [UInt8] {
        let next: [UInt8]? = state.withLock { state in
            if !state.isTakenOver { state.isConfused = true }
            return state.typed.isEmpty ? nil : state.typed.removeFirst()
        }
        if let next { return next }
        guard staysOpen else { return [] }
        for await _ in AsyncStream<Void>.makeStream().stream {}
        throw CancellationError()
    }

    func readWaiting() -> [UInt8] {
        state.withLock { $0.waiting.isEmpty ? [] : $0.waiting.removeFirst() }
    }

    func write(_ text: String) throws {
        state.withLock { state in
            if !state.isTakenOver { state.isConfused = true }
            state.output += text
        }
    }

    func suspend() {
        state.withLock { state in
            if state.isTakenOver { state.isConfused = true }
            state.suspensions += 1
        }
    }
}
