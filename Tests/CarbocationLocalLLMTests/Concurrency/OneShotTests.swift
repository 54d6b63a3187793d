import Testing

@testable import CarbocationLocalLLM

@Suite("A value that is set once", .timeLimit(.minutes(10)))
struct OneShotTests {
    @Test("every task that waits, before or after, gets the first value")
    func waiters() async {
        let shot = OneShot<Int>()
        let early = (0..<8).map { _ in Task { await shot.value() } }
        await Task.yield()
        shot.resolve(7)
        shot.resolve(8)
        for task in early { #expect(await task.value == 7) }
        #expect(await shot.value() == 7)
    }
}
