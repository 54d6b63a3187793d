/// Counts the bytes of all files of a download.
final class ProgressLedger: Sendable {
    private struct Item {
        var present: Int64 = 0
        var total: Int64 = 0
    }

    private struct State {
        var items: [Item]
        /// What came over the network during this call.
        var received: Int64 = 0
    }

    /// The sums at one moment.
    struct Snapshot: Sendable, Equatable {
        var present: Int64
        var total: Int64
        var received: Int64
    }

    private let state: Locked<State>

    /// Creates a ledger.
    ///
    /// - Parameter totals: The sizes of the files as far as they are known, else 0.
    init(totals: [Int64]) {
        state = Locked(State(items: totals.map { Item(total: max($0, 0)) }))
    }

    /// Says how much of a file is on disk.
    func setPresent(_ bytes: Int64, of item: Int) {
        state.withLock { $0.items[item].present = bytes }
    }

    /// Says how large a file is.
    func setTotal(_ bytes: Int64, of item: Int) {
        state.withLock { $0.items[item].total = bytes }
    }

    /// Counts bytes that arrived for a file.
    ///
    /// Bytes that come a second time do not count as present.
    func receive(_ bytes: Int64, of item: Int) {
        state.withLock { state in
            state.received += bytes
            let sum = state.items[item].present + bytes
            let total = state.items[item].total
            state.items[item].present = total > 0 ? min(sum, total) : sum
        }
    }

    /// The bytes that are still to come for all files but one, as far as sizes are known.
    func remaining(except item: Int) -> Int64 {
        state.withLock { state in
            state.items.indices.filter { $0 != item }.reduce(0) { sum, index in
                sum.addingSaturated(max(state.items[index].total - state.items[index].present, 0))
            }
        }
    }

    var snapshot: Snapshot {
        state.withLock { state in
            let total: Int64 = state.items.reduce(0) { $0.addingSaturated($1.total) }
            return Snapshot(
                present: state.items.reduce(0) { $0.addingSaturated($1.present) },
                total: state.items.contains { $0.total == 0 } ? 0 : total, received: state.received)
        }
    }
}

/// One file's part of a ledger.
struct ProgressTally: Sendable {
    let ledger: ProgressLedger
    let item: Int

    func setPresent(_ bytes: Int64) { ledger.setPresent(bytes, of: item) }
    func setTotal(_ bytes: Int64) { ledger.setTotal(bytes, of: item) }
    func receive(_ bytes: Int64) { ledger.receive(bytes, of: item) }

    /// What came over the network during this call, for all files.
    var received: Int64 { ledger.snapshot.received }

    /// The bytes that are still to come for the other files.
    var remainingElsewhere: Int64 { ledger.remaining(except: item) }
}
