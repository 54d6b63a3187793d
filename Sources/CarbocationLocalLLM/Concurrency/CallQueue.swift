/// Calls that run one at a time, in the order in which they came.
package final class CallQueue: Sendable {
    /// The place of one call.
    package final class Place: Sendable {
        private let queue: CallQueue
        /// True once it is this call's turn, false when it gave up before.
        fileprivate let turn = OneShot<Bool>()

        fileprivate init(_ queue: CallQueue) {
            self.queue = queue
        }

        /// Waits for the turn.
        ///
        /// A cancelled task gives its place up and throws `CancellationError` at once.
        package func wait() async throws {
            let isMine = await withTaskCancellationHandler {
                await turn.value()
            } onCancel: {
                queue.withdraw(self)
            }
            guard isMine else { throw CancellationError() }
        }

        /// Waits for the turn, also in a task that was cancelled.
        package func waitToTheEnd() async {
            _ = await turn.value()
        }

        /// Ends the turn; only the first call does anything.
        package func leave() {
            queue.remove(self)
        }
    }

    /// The first one has its turn.
    private let places = Locked<[Place]>([])

    package init() {}

    /// Calls that have their turn or wait for it.
    package var count: Int { places.withLock { $0.count } }

    /// Takes the next place, which is to be left whatever happens.
    package func enter() -> Place {
        let place = Place(self)
        let isFirst = places.withLock { places in
            places.append(place)
            return places.count == 1
        }
        if isFirst { place.turn.resolve(true) }
        return place
    }

    private func remove(_ place: Place) {
        let next = places.withLock { places -> Place? in
            let wasFirst = places.first === place
            places.removeAll { $0 === place }
            return wasFirst ? places.first : nil
        }
        next?.turn.resolve(true)
    }

    /// Removes a place that still waits.
    private func withdraw(_ place: Place) {
        let isWithdrawn = places.withLock { places in
            guard let index = places.firstIndex(where: { $0 === place }), index > 0 else { return false }
            places.remove(at: index)
            return true
        }
        if isWithdrawn { place.turn.resolve(false) }
    }
}
