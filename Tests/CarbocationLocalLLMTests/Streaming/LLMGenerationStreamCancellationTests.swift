import CarbocationLocalLLM
import Testing

@Suite("LLMGenerationStream, cancellation", .timeLimit(.minutes(10)))
struct LLMGenerationStreamCancellationTests {
    struct Failure: Error {}

    /// A stream that emits one event, waits for its cancellation and then behaves as an engine should.
    private static func engineLike(stopped: Gate = Gate()) -> LLMGenerationStream {
        LLMGenerationStream { emit in
            emit(.sample(1))
            await Gate.passOnCancellation()
            emit(.contentDelta(phase: .final, text: "held", bytesSoFar: 4))
            emit(.stats(.cancelled))
            stopped.open()
            throw CancellationError()
        }
    }

    private static let tail: [LLMGenerationStreamEvent] = [
        .sample(1), .contentDelta(phase: .final, text: "held", bytesSoFar: 4), .stats(.cancelled),
    ]

    @Test("EV-3: leaving the loop cancels the generation")
    func leavingTheLoop() async throws {
        let stopped = Gate()
        for try await _ in Self.engineLike(stopped: stopped) { break }
        await stopped.pass()
    }

    @Test("EV-3: dropping the iterator cancels the generation, while the stream itself lives on")
    func droppingTheIterator() async throws {
        let stopped = Gate()
        let stream = Self.engineLike(stopped: stopped)
        var iterator: LLMGenerationStream.AsyncIterator? = stream.makeAsyncIterator()
        _ = try await iterator?.next()
        iterator = nil
        await stopped.pass()
        _ = stream
    }

    @Test("EV-3: the generation runs on until the last copy of the iterator is gone")
    func lastCopy() async throws {
        let stopped = Gate()
        let proceed = Gate()
        let stream = LLMGenerationStream { emit in
            emit(.sample(1))
            await proceed.pass()
            emit(.sample(Task.isCancelled ? -1 : 2))
            await Gate.passOnCancellation()
            stopped.open()
        }
        var first: LLMGenerationStream.AsyncIterator? = stream.makeAsyncIterator()
        var second = first
        _ = try await first?.next()
        first = nil
        proceed.open()
        let event = try #require(try await second?.next())
        #expect(texts([event]) == texts([.sample(2)]))
        second = nil
        await stopped.pass()
    }

    @Test("an iterator that was never asked for an event starts nothing, even when dropped")
    func neverStarted() async {
        let runs = Locked(0)
        let stream = LLMGenerationStream { _ in runs.withLock { $0 += 1 } }
        do { _ = stream.makeAsyncIterator() }
        await Task.yield()
        #expect(runs.withLock { $0 } == 0)
    }

    @Test("EV-4: a reader cancelled while it waits gets the last events, then CancellationError")
    func cancelledWhileWaiting() async {
        let started = Gate()
        let task = Task {
            var events: [String] = []
            do {
                for try await event in Self.engineLike() {
                    events.append(String(describing: event))
                    started.open()
                }
                return (events, false)
            } catch {
                return (events, error is CancellationError)
            }
        }
        await started.pass()
        task.cancel()
        let (events, wasCancelled) = await task.value
        #expect(events == texts(Self.tail))
        #expect(wasCancelled)
    }

    @Test("EV-4: a reader cancelled between two events still gets what was buffered")
    func cancelledBetweenEvents() async {
        let produced = Gate()
        let cancelled = Gate()
        let stream = LLMGenerationStream { emit in
            for number in 0..<100 { emit(.sample(number)) }
            produced.open()
            await Gate.passOnCancellation()
            emit(.stats(.cancelled))
            throw CancellationError()
        }
        let task = Task {
            await cancelled.pass()
            return await stream.recorded()
        }
        let reader = Task {
            var iterator = stream.makeAsyncIterator()
            var events: [String] = []
            do {
                if let event = try await iterator.next() { events.append(String(describing: event)) }
                await produced.pass()
                withUnsafeCurrentTask { $0?.cancel() }
                while let event = try await iterator.next() { events.append(String(describing: event)) }
                return (events, false)
            } catch {
                return (events, error is CancellationError)
            }
        }
        let (events, wasCancelled) = await reader.value
        #expect(events == texts((0..<100).map { .sample($0) } + [.stats(.cancelled)]))
        #expect(wasCancelled)
        // The same stream is not spoilt: it gives a generation of its own to a reader that is cancelled at the start.
        task.cancel()
        cancelled.open()
        let second = await task.value
        #expect(second.events.isEmpty)
        #expect(second.error is CancellationError)
    }

    @Test("EV-4: a reader that is cancelled before it asks starts nothing")
    func cancelledBeforeStart() async {
        let runs = Locked(0)
        let stream = LLMGenerationStream { _ in runs.withLock { $0 += 1 } }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await stream.recorded()
        }
        let (events, error) = await task.value
        #expect(events.isEmpty)
        #expect(error is CancellationError)
        #expect(runs.withLock { $0 } == 0)
    }

    enum Ending: CaseIterable {
        case returns, fails
    }

    @Test(
        "EV-4, SC-6: whatever the body makes of a cancellation, the reader gets CancellationError",
        arguments: Ending.allCases)
    func bodyThatHidesCancellation(ending: Ending) async {
        let stream = LLMGenerationStream { emit in
            emit(.sample(1))
            await Gate.passOnCancellation()
            if ending == .fails { throw Failure() }
        }
        let (events, error) = await readCancellingAfterFirst(stream)
        #expect(events == texts([.sample(1)]))
        #expect(error is CancellationError)
    }

    @Test("EV-4: a run that ended without a result before it was cancelled looks like no success either")
    func cancelledAfterEndWithoutResult() async {
        let ended = Gate()
        let stream = LLMGenerationStream { emit in
            defer { ended.open() }
            emit(.sample(1))
            emit(.sample(2))
        }
        let (events, error) = await readCancellingAfterFirst(stream, when: ended)
        #expect(events == texts([.sample(1), .sample(2)]))
        #expect(error is CancellationError)
    }

    @Test("EV-5: a cancellation after the success comes too late")
    func cancelledAfterSuccess() async {
        let ended = Gate()
        let result = LLMGenerationResult(finalText: "done")
        let stream = LLMGenerationStream { emit in
            defer { ended.open() }
            emit(.sample(1))
            emit(.completed(result))
        }
        let (events, error) = await readCancellingAfterFirst(stream, when: ended)
        #expect(events == texts([.sample(1), .completed(result)]))
        #expect(error == nil)
    }

    @Test("EV-4: a failure before the cancellation stays what it was")
    func cancelledAfterFailure() async throws {
        let channel = EventChannel<Int> { _ in false }
        channel.send(1)
        channel.finish(throwing: Failure())
        channel.noteCancellation()
        #expect(try await channel.next() == 1)
        await #expect(throws: Failure.self) { try await channel.next() }
        #expect(try await channel.next() == nil)
    }

    /// Reads all events, cancelling the reading task after the first one.
    private func readCancellingAfterFirst(
        _ stream: LLMGenerationStream,
        when gate: Gate? = nil
    ) async -> (events: [String], error: (any Error)?) {
        let task = Task {
            var events: [String] = []
            var iterator = stream.makeAsyncIterator()
            do {
                while let event = try await iterator.next() {
                    events.append(String(describing: event))
                    guard events.count == 1 else { continue }
                    await gate?.pass()
                    withUnsafeCurrentTask { $0?.cancel() }
                }
                return (events, nil as (any Error)?)
            } catch {
                return (events, error)
            }
        }
        return await task.value
    }
}
