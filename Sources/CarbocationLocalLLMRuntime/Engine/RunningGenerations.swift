import CarbocationLocalLLM

/// The generations of an engine that are not over.
struct RunningGenerations {
    /// One of them.
    final class Generation: Sendable {
        fileprivate let isCancelled = Locked(false)
        fileprivate let end = OneShot<Void>()

        /// Says that nobody waits for its text any more; it will end soon.
        func cancel() {
            isCancelled.withLock { $0 = true }
        }
    }

    private var all: [ObjectIdentifier: Generation] = [:]

    /// Whether there are any that somebody waits for.
    var areWanted: Bool {
        all.values.contains { !$0.isCancelled.withLock { $0 } }
    }

    /// The ends of those that were cancelled.
    var ends: [OneShot<Void>] {
        all.values.filter { $0.isCancelled.withLock { $0 } }.map(\.end)
    }

    var isEmpty: Bool { all.isEmpty }

    mutating func begin() -> Generation {
        let generation = Generation()
        all[ObjectIdentifier(generation)] = generation
        return generation
    }

    mutating func end(_ generation: Generation) {
        all[ObjectIdentifier(generation)] = nil
        generation.end.resolve(())
    }
}
