import CarbocationLocalLLM
import Testing

@Suite("LLMGenerationStream", .timeLimit(.minutes(10)))
struct LLMGenerationStreamTests {
    struct Failure: Error, Equatable {}

    @Test("EV-2: nothing runs before the first next(), and each iterator is a generation of its own")
    func coldness() async throws {
        let runs = Locked(0)
        let stream = LLMGenerationStream { emit in
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            emit(.sample(run))
        }
        var first = stream.makeAsyncIterator()
        var second = stream.makeAsyncIterator()
        #expect(runs.withLock { $0 } == 0)
        let events = try await [second.next(), first.next(), first.next(), second.next()]
        #expect(events.map { String(describing: $0) } == [.sample(1), .sample(2), nil, nil].map(describe))
        #expect(runs.withLock { $0 } == 2)
    }

    @Test("EV-2: iterating twice gives the same events twice")
    func iteratingTwice() async {
        let stream = LLMGenerationStream { emit in
            for number in 0..<3 { emit(.sample(number)) }
        }
        for _ in 0..<2 {
            let (events, error) = await stream.recorded()
            #expect(events == texts((0..<3).map { .sample($0) }))
            #expect(error == nil)
        }
    }

    @Test("EV-5: a slow reader loses nothing, and holds up nothing")
    func slowReader() async throws {
        let produced = Gate()
        let stream = LLMGenerationStream { emit in
            for number in 0..<5_000 { emit(.sample(number)) }
            emit(.completed(LLMGenerationResult(finalText: "all")))
            produced.open()
        }
        var iterator = stream.makeAsyncIterator()
        var events: [String] = []
        if let event = try await iterator.next() { events.append(String(describing: event)) }
        await produced.pass()
        while let event = try await iterator.next() { events.append(String(describing: event)) }
        #expect(events.count == 5_001)
        #expect(events.dropLast() == texts((0..<5_000).map { .sample($0) })[...])
    }

    @Test("EV-5: a reader that waits gets each event as it comes")
    func waitingReader() async throws {
        let (steps, step) = AsyncStream.makeStream(of: Int.self)
        let stream = LLMGenerationStream { emit in
            for await number in steps { emit(.sample(number)) }
        }
        var iterator = stream.makeAsyncIterator()
        for number in 0..<10 {
            step.yield(number)
            #expect(try await describe(iterator.next()) == describe(.sample(number)))
        }
        step.finish()
        #expect(try await iterator.next() == nil)
    }

    @Test("EV-4: an error comes after all events, once")
    func failure() async throws {
        let stream = LLMGenerationStream { emit in
            emit(.sample(1))
            emit(.stats("failed"))
            throw Failure()
        }
        var iterator = stream.makeAsyncIterator()
        #expect(try await describe(iterator.next()) == describe(.sample(1)))
        #expect(try await describe(iterator.next()) == describe(.stats("failed")))
        await #expect(throws: Failure()) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test("what is emitted after the body returned is dropped")
    func lateEvents() async {
        let late = Locked<(@Sendable (LLMGenerationStreamEvent) -> Void)?>(nil)
        let stream = LLMGenerationStream { emit in
            emit(.sample(1))
            late.withLock { $0 = emit }
        }
        let events = await stream.recorded().events
        late.withLock { $0 }?(.sample(2))
        #expect(events == texts([.sample(1)]))
    }

    @Test("copies of an iterator read from the same generation")
    func copies() async throws {
        let stream = LLMGenerationStream { emit in
            for number in 0..<4 { emit(.sample(number)) }
        }
        var first = stream.makeAsyncIterator()
        var second = first
        let events = try await [first.next(), second.next(), second.next(), first.next(), second.next()]
        #expect(events.map(describe) == [.sample(0), .sample(1), .sample(2), .sample(3), nil].map(describe))
    }

    @Test("several tasks may wait on one iterator: one gets the error, all end")
    func severalWaiters() async throws {
        let fail = Gate()
        let stream = LLMGenerationStream { _ in
            await fail.pass()
            throw Failure()
        }
        let iterator = stream.makeAsyncIterator()
        let failures = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var copy = iterator
                    do { return try await copy.next() != nil } catch { return true }
                }
            }
            fail.open()
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 1)
    }

    @Test("EV-5: result() runs the stream to its end")
    func result() async throws {
        let stream = LLMGenerationStream { emit in
            emit(.sample(1))
            emit(.completed(LLMGenerationResult(finalText: "four", stopReason: .maxTokens)))
        }
        let result = try await stream.result()
        #expect(result == LLMGenerationResult(finalText: "four", stopReason: .maxTokens))
    }

    @Test("result() passes errors on, and a stream without a result is one")
    func resultErrors() async {
        await #expect(throws: Failure()) { try await LLMGenerationStream { _ in throw Failure() }.result() }
        await #expect(throws: LLMEngineError.decodeFailed("the generation ended without a result")) {
            try await LLMGenerationStream { $0(.sample(1)) }.result()
        }
    }

    @MainActor
    @Test("a stream can be read on an actor")
    func onAnActor() async throws {
        var count = 0
        for try await _ in LLMGenerationStream({ $0(.sample(1)) }) { count += 1 }
        #expect(count == 1)
    }

    private func describe(_ event: LLMGenerationStreamEvent?) -> String {
        String(describing: event)
    }
}
