import CarbocationLocalLLM

/// The part of a snapshot that is JSON: everything but tokens and the KV cache, whose sizes it tells.
struct SnapshotDescription: Codable {
    /// The sizes of what the KV cache held.
    struct State: Codable {
        struct Checkpoint: Codable {
            var tokenCount: Int
            var byteCount: Int
        }

        var tokenCount: Int
        var promptCount: Int
        var byteCount: Int
        var checkpoints: [Checkpoint]
    }

    var model: SessionModel
    var cache: CacheIdentity
    var system: String
    var transcript: [SnapshotMessage]
    /// Tokens of the ledger.
    var ledgerCount: Int
    var state: State?

    init(_ snapshot: SessionSnapshot) {
        model = snapshot.model
        cache = snapshot.cacheIdentity
        system = snapshot.system
        transcript = snapshot.transcript.map(SnapshotMessage.init)
        ledgerCount = snapshot.ledger.count
        state = snapshot.state.map { state in
            State(
                tokenCount: state.tokens.count, promptCount: state.promptCount, byteCount: state.bytes.count,
                checkpoints: state.checkpoints.map {
                    State.Checkpoint(tokenCount: $0.count, byteCount: $0.bytes.count)
                })
        }
    }

    /// The bytes of everything behind the description; nil when a number cannot be one that a session has.
    var payloadSize: Int? {
        var counts = [ledgerCount]
        var sizes: [Int] = []
        if let state {
            guard state.promptCount >= 0, state.promptCount <= state.tokenCount,
                state.checkpoints.count <= CheckpointStore.maximumCountPerSequence,
                state.checkpoints.allSatisfy({ $0.tokenCount > 0 && $0.tokenCount <= state.tokenCount })
            else { return nil }
            counts.append(state.tokenCount)
            sizes = [state.byteCount] + state.checkpoints.map(\.byteCount)
        }
        // No context has more tokens, and the sums below stay far from overflowing.
        guard counts.allSatisfy({ (0...ContextSettings.largestContext).contains($0) }),
            sizes.allSatisfy({ (0...SnapshotFile.largestSize).contains($0) })
        else { return nil }
        return counts.reduce(0, +) * MemoryLayout<Token>.size + sizes.reduce(0, +)
    }
}
