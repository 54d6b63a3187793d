import CarbocationLocalLLM
import Dispatch
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Native work", .timeLimit(.minutes(10)))
struct NativeWorkTests {
    private struct Refusal: Error {}

    @Test("results and errors come back")
    func results() async throws {
        let work = NativeWork()
        #expect(try await work.run { _ in 41 + 1 } == 42)
        await #expect(throws: Refusal.self) { try await work.run { _ -> Int in throw Refusal() } }
    }

    @Test("a cancelled task sets the signal that the work looks at")
    func cancellation() async {
        let work = NativeWork()
        let task = Task {
            try await work.run { signal in
                while true { try signal.check() }
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("work for a task that was cancelled before sees the signal from its beginning")
    func cancelledBefore() async throws {
        let work = NativeWork()
        let task = Task<Void, any Error> {
            withUnsafeCurrentTask { $0?.cancel() }
            // The work must not begin before the signal is set, which would be seen now and then only.
            for _ in 0..<1000 {
                let isSet = try await work.run { $0.isSet }
                #expect(isSet)
                let seen = OneShot<Bool>()
                try? await work.runAbandoning { seen.resolve($0.isSet) }
                #expect(await seen.value())
            }
        }
        try await task.value
    }

    @Test("abandoned work goes on alone, and its caller at once")
    func abandonment() async {
        let work = NativeWork()
        let hold = DispatchSemaphore(value: 0)
        let started = OneShot<Void>()
        let task = Task {
            try await work.runAbandoning { _ in
                started.resolve(())
                hold.wait()
            }
        }
        await started.value()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        hold.signal()
    }
}
