import CarbocationLocalLLM

@testable import CLLMCommands

/// A terminal at which somebody types what is given.
final class ScriptedTerminal: TerminalDevice {
    private struct State {
        var typed: [[UInt8]]
        var output = ""
        var isTakenOver = false
        var suspensions = 0
        /// Whether something happened at the wrong time.
        var isConfused = false
    }

    let size = TerminalSize(columns: 60, rows: 10)
    private let state: Locked<State>
    private let staysOpen: Bool

    /// - Parameters:
    ///   - typed: what arrives at once each time.
    ///   - staysOpen: whether nothing arrives then, instead of the end.
    init(_ typed: [String], staysOpen: Bool = false) {
        state = Locked(State(typed: typed.map { Array($0.utf8) }))
        self.staysOpen = staysOpen
    }

    var output: String { state.withLock(\.output) }
    var suspensions: Int { state.withLock(\.suspensions) }
    /// Whether it was given back, and never used while it was not taken over.
    var isRestored: Bool { state.withLock { !$0.isTakenOver && !$0.isConfused } }

    func takeOver() throws {
        state.withLock { $0.isTakenOver = true }
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
