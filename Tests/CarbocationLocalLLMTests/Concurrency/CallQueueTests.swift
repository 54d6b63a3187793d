import CarbocationLocalLLM
import Testing

@Suite("Calls in a row", .timeLimit(.minutes(10)))
struct CallQueueTests {
    @Test("SE-5: places come to their turn in the order in which they were taken")
    func order() async throws {
        let queue = CallQueue()
        let places = (0..<8).map { _ in queue.enter() }
        let order = Locked<[Int]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in places.indices.reversed() {
                group.addTask {
                    defer { places[index].leave() }
                    try await places[index].wait()
                    order.withLock { $0.append(index) }
                }
            }
            try await group.waitForAll()
        }
        #expect(order.withLock { $0 } == Array(0..<8))
    }

    @Test("SE-5: a cancelled call that waits ends at once and holds up nobody")
    func cancelled() async throws {
        let queue = CallQueue()
        let (first, second, third) = (queue.enter(), queue.enter(), queue.enter())
        try await first.wait()
        let waiting = Task { try await second.wait() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        second.leave()
        first.leave()
        try await third.wait()
        third.leave()
        try await queue.enter().wait()
    }

    @Test("a place can be left before its turn, and more than once")
    func left() async throws {
        let queue = CallQueue()
        let (first, second, third) = (queue.enter(), queue.enter(), queue.enter())
        second.leave()
        second.leave()
        first.leave()
        first.leave()
        let waiting = Task { await third.waitToTheEnd() }
        waiting.cancel()
        await waiting.value
    }
}
