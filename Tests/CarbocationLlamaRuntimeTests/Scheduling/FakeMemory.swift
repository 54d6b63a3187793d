@testable import CarbocationLlamaRuntime

/// What a KV cache without numbers holds: cells, and the sequences that occupy them.
struct FakeMemory {
    enum Kind: Equatable, CaseIterable {
        /// Cells that can be dropped and shared.
        case standard
        /// Beside the cells a state that only goes forward, as in recurrent and hybrid models.
        case recurrent
        /// Layers that forget what is more than `FakeMemory.window` tokens back.
        case windowed
    }

    static let window = 24

    private struct Sequence {
        var cells: [Int] = []
        /// What the state of recurrent memory went through.
        var state: [Token] = []
        /// The first position that windowed layers still hold.
        var first = 0
    }

    let kind: Kind
    private var sequences: [Int32: Sequence] = [:]
    private var cells: [Int: (token: Token, users: Int)] = [:]
    private var lastCell = 0

    init(_ kind: Kind) {
        self.kind = kind
    }

    var usedCells: Int { cells.count }

    /// The tokens of each sequence that holds any.
    var contents: [Int32: [Token]] {
        sequences.mapValues { $0.cells.compactMap { cells[$0]?.token } }.filter { !$0.value.isEmpty }
    }

    func tokens(of sequence: Int32) -> [Token] {
        sequences[sequence, default: Sequence()].cells.compactMap { cells[$0]?.token }
    }

    /// Appends a token, which must continue a memory that still has all it looks back on.
    mutating func append(_ entry: BatchEntry) {
        let (position, first) = (tokenCount(entry.sequence), sequences[entry.sequence]?.first ?? 0)
        precondition(entry.position == position, "positions must be contiguous")
        precondition(first <= max(0, position - Self.window + 1), "the window has gone")
        lastCell += 1
        cells[lastCell] = (entry.token, 1)
        sequences[entry.sequence, default: Sequence()].cells.append(lastCell)
        if kind == .recurrent {
            precondition(sequences[entry.sequence]?.state.count == position, "the state is of another sequence")
            sequences[entry.sequence]?.state.append(entry.token)
        }
        if kind == .windowed { sequences[entry.sequence]?.first = max(first, position - 2 * Self.window) }
    }

    func canRemove(from position: Int, of sequence: Int32) -> Bool {
        guard let held = sequences[sequence], position > 0, position < held.cells.count else { return true }
        switch kind {
        case .standard: return true
        case .recurrent: return false
        case .windowed: return held.first == 0 || held.first < position - Self.window
        }
    }

    mutating func remove(from position: Int, of sequence: Int32) {
        guard var held = sequences[sequence] else { return }
        for cell in held.cells.dropFirst(position) { release(cell) }
        held.cells = Array(held.cells.prefix(position))
        sequences[sequence] = held.cells.isEmpty ? nil : held
    }

    mutating func copy(_ count: Int, of source: Int32, to target: Int32) -> Bool {
        guard kind == .standard, source != target, tokenCount(target) == 0, count > 0, count <= tokenCount(source)
        else { return false }
        let shared = Array(sequences[source, default: Sequence()].cells.prefix(count))
        for cell in shared { cells[cell]?.users += 1 }
        sequences[target] = Sequence(cells: shared)
        return true
    }

    /// The part of a sequence that cannot be cut, and the tokens it stands for.
    func checkpoint(of sequence: Int32) -> [UInt8] {
        tokens(of: sequence).map { UInt8($0) }
    }

    mutating func restore(_ bytes: [UInt8], of sequence: Int32, count: Int) {
        let saved = bytes.map { Token($0) }
        precondition(saved.count == count && Array(tokens(of: sequence).prefix(count)) == saved, "a foreign checkpoint")
        remove(from: count, of: sequence)
        sequences[sequence]?.state = kind == .recurrent ? saved : []
        sequences[sequence]?.first = kind == .windowed ? max(0, count - Self.window) : 0
    }

    /// Fills an empty sequence with tokens that another memory held.
    mutating func load(_ bytes: [UInt8], of sequence: Int32) {
        for (position, token) in bytes.enumerated() {
            append(BatchEntry(token: Token(token), position: position, sequence: sequence, wantsLogits: false))
        }
    }

    /// Shares cells, and takes everything else from the checkpoint.
    mutating func copyCheckpoint(_ bytes: [UInt8], of source: Int32, to target: Int32, count: Int) {
        precondition(tokenCount(target) == 0, "the target must be empty")
        let shared = Array(sequences[source, default: Sequence()].cells.prefix(count))
        for cell in shared { cells[cell]?.users += 1 }
        sequences[target] = Sequence(cells: shared)
        restore(bytes, of: target, count: count)
    }

    private func tokenCount(_ sequence: Int32) -> Int { sequences[sequence]?.cells.count ?? 0 }

    private mutating func release(_ cell: Int) {
        cells[cell]?.users -= 1
        if cells[cell]?.users == 0 { cells[cell] = nil }
    }
}
