import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite(.timeLimit(.minutes(10))) struct InterruptionRouterTests {
    private let signals = AsyncStream<Interruption>.makeStream()
    private let rearms = Locked(0)
    private let stops = AsyncStream<Void>.makeStream()

    /// Watches the signals until the suite's test is over.
    private func watched() -> InterruptionRouter {
        let router = InterruptionRouter { [rearms] in rearms.withLock { $0 += 1 } }
        Task { [signals, stops] in await router.watch(signals.stream) { stops.continuation.yield() } }
        return router
    }

    /// A part that tells when it has begun, and whether it was cancelled.
    private static func part(_ begun: AsyncStream<Void>.Continuation) -> @Sendable () async -> Bool {
        {
            begun.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            return Task.isCancelled
        }
    }

    @Test("the first interrupt stops the part, and further ones are waited for")
    func part() async {
        let router = watched()
        for count in 1...2 {
            let (starts, begun) = AsyncStream<Void>.makeStream()
            async let wasCancelled = router.stoppable(Self.part(begun))
            for await _ in starts { break }
            signals.continuation.yield(.interrupt)
            #expect(await wasCancelled)
            #expect(rearms.withLock(\.self) == count)
        }
        #expect(router.received == nil)
    }

    @Test("a second interrupt stops everything while the part is still ending")
    func second() async {
        let router = watched()
        let (starts, begun) = AsyncStream<Void>.makeStream()
        let stopped = stops.stream
        let signals = signals
        await router.stoppable {
            begun.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            signals.continuation.yield(.interrupt)
            // In a task of its own, because this one was cancelled.
            await Task { for await _ in stopped { break } }.value
        } whenBegun: {
            for await _ in starts { break }
            signals.continuation.yield(.interrupt)
        }
        #expect(router.received == .interrupt)
        #expect(rearms.withLock(\.self) == 1)
    }

    @Test("what no part takes stops everything", arguments: [Interruption.interrupt, .terminate])
    func whole(signal: Interruption) async {
        let router = watched()
        signals.continuation.yield(signal)
        for await _ in stops.stream { break }
        #expect(router.received == signal)
        #expect(rearms.withLock(\.self) == 0)
    }

    @Test("a part is cancelled with the task that it is a part of")
    func cancellation() async {
        let router = watched()
        let (starts, begun) = AsyncStream<Void>.makeStream()
        let task = Task { await router.stoppable(Self.part(begun)) }
        for await _ in starts { break }
        task.cancel()
        #expect(await task.value)
    }
}

extension InterruptionRouter {
    fileprivate func stoppable(
        _ body: @escaping @Sendable () async -> Void, whenBegun: @escaping @Sendable () async -> Void
    ) async {
        async let other: Void = whenBegun()
        await stoppable(body)
        await other
    }
}
