import TestSupport
import Testing

@Suite("ManualClock", .timeLimit(.minutes(10)))
struct ManualClockTests {
    @Test("time stands still until it is advanced")
    func advances() async throws {
        let clock = ManualClock()
        #expect(clock.now.offset == .zero)
        clock.advance(by: .milliseconds(1500))
        #expect(clock.now.offset == .milliseconds(1500))
        try await clock.sleep(until: clock.now)
        try await clock.sleep(for: .seconds(-1))
        #expect(clock.sleeperCount == 0)
    }

    @Test("a sleep ends with the advance that reaches its deadline, and not before")
    func wakes() async throws {
        let clock = ManualClock()
        let short = Task { try await clock.sleep(for: .seconds(1)) }
        let long = Task { try await clock.sleep(for: .seconds(3)) }
        await clock.sleeping(2)
        #expect(clock.deadlines.map(\.offset) == [.seconds(1), .seconds(3)])
        clock.advance(by: .seconds(2))
        try await short.value
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        try await long.value
        #expect(clock.sleeperCount == 0)
    }

    @Test("an existential clock sleeps on it too")
    func existential() async throws {
        let clock = ManualClock()
        let erased: any Clock<Duration> = clock
        let sleep = Task { try await erased.sleep(for: .seconds(1)) }
        await clock.sleeping()
        clock.advance(by: .seconds(1))
        try await sleep.value
    }

    @Test("a cancelled sleep ends at once, whether it has begun or not")
    func cancels() async {
        let clock = ManualClock()
        let begun = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.sleeping()
        begun.cancel()
        await #expect(throws: CancellationError.self) { try await begun.value }
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test("who waits for sleepers is not held when cancelled")
    func cancelsWatcher() async {
        let clock = ManualClock()
        let watcher = Task { await clock.sleeping() }
        watcher.cancel()
        await watcher.value
    }

    @Test("many tasks sleep, wake and are cancelled at the same time")
    func many() async {
        let clock = ManualClock()
        let sleeps = (0..<200).map { number in
            Task { try await clock.sleep(for: .seconds(number + 1)) }
        }
        await clock.sleeping(200)
        async let advanced: Void = clock.advance(by: .seconds(100))
        for sleep in sleeps[150...] { sleep.cancel() }
        await advanced
        for sleep in sleeps[100..<150] { sleep.cancel() }
        var cancelled: [Int] = []
        for (number, sleep) in sleeps.enumerated() {
            if case .failure = await sleep.result { cancelled.append(number) }
        }
        #expect(cancelled == Array(100..<200))
        #expect(clock.sleeperCount == 0)
    }
}
