import CarbocationLocalLLM
import Foundation

@testable import CLLMCommands

/// Collects what is written, and can play a terminal or a reader that goes away.
final class MemoryWriter: ByteWriting {
    private struct State {
        var writes: [[UInt8]] = []
        var failure: (any Error & Sendable)?
        var writesBeforeFailure = 0
    }

    let isTerminal: Bool
    private let state: Locked<State>

    init(isTerminal: Bool = false, failure: (any Error & Sendable)? = nil, afterWrites writes: Int = 0) {
        self.isTerminal = isTerminal
        state = Locked(State(failure: failure, writesBeforeFailure: writes))
    }

    func write(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            if let failure = state.failure, state.writes.count >= state.writesBeforeFailure { throw failure }
            state.writes.append(bytes)
        }
    }

    /// Every write as text.
    var pieces: [String] { state.withLock { $0.writes.map { String(decoding: $0, as: UTF8.self) } } }
    var text: String { state.withLock { String(decoding: $0.writes.joined(), as: UTF8.self) } }
    var lines: [String] { text.split(separator: "\n").map(String.init) }
}

/// Holds what is read, or never ends.
struct MemoryReader: ByteReading {
    var isTerminal = false
    /// Nil for an input on which nothing ever arrives.
    var bytes: [UInt8]?

    init(_ text: String, isTerminal: Bool = false) {
        bytes = Array(text.utf8)
        self.isTerminal = isTerminal
    }

    init(bytes: [UInt8]?) {
        self.bytes = bytes
    }

    func readToEnd() async throws -> [UInt8] {
        if let bytes { return bytes }
        for await _ in AsyncStream<Void>.makeStream().stream {}
        try Task.checkCancellation()
        return []
    }

    func readLine() async throws -> [UInt8]? {
        let bytes = try await readToEnd()
        return bytes.isEmpty ? nil : Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
    }
}

/// A pipe with lines in it.
final class MemoryLines: ByteReading {
    let isTerminal: Bool
    private let rest: Locked<[UInt8]>

    init(_ text: String, isTerminal: Bool = false) {
        self.isTerminal = isTerminal
        rest = Locked(Array(text.utf8))
    }

    init(bytes: [UInt8]) {
        isTerminal = false
        rest = Locked(bytes)
    }

    func readToEnd() async throws -> [UInt8] {
        rest.withLock { rest in
            defer { rest = [] }
            return rest
        }
    }

    func readLine() async throws -> [UInt8]? {
        rest.withLock { rest in
            guard !rest.isEmpty else { return nil }
            let line = Array(rest.prefix { $0 != UInt8(ascii: "\n") })
            rest.removeFirst(min(rest.count, line.count + 1))
            return line
        }
    }
}
