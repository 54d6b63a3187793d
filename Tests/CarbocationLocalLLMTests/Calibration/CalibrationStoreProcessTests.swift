import Foundation
import Testing

@testable import CarbocationLocalLLM

#if os(macOS) || os(Linux)
    @Suite("The calibration store of two processes", .timeLimit(.minutes(10)))
    struct CalibrationStoreProcessTests {
        /// A process that is started knows its parent and nothing else.
        private static func suiteName(_ test: String, of process: pid_t) -> String { "calibration-\(test)-\(process)" }

        private static func key(_ batch: Int) -> LlamaContextCalibrationKey {
            CalibrationSamples.key(runtime: CalibrationSamples.runtime(batch: batch))
        }

        private static func remove(_ suite: String) {
            let defaults = UserDefaults(suiteName: suite)
            defaults?.removePersistentDomain(forName: suite)
            defaults?.synchronize()
        }

        @Test("CA-7: a record that another process saved is found by a store that read before")
        func afresh() async throws {
            let suite = Self.suiteName("read", of: getpid())
            defer { Self.remove(suite) }
            let store = LlamaContextCalibrationStore(suiteName: suite)
            #expect(store.record(for: Self.key(0)) == nil)
            await #expect(processExitsWith: .success) {
                let store = LlamaContextCalibrationStore(suiteName: Self.suiteName("read", of: getppid()))
                try store.save(CalibrationSamples.record(CalibrationSamples.key(device: store.deviceID())))
                try store.save(CalibrationSamples.record(Self.key(0)))
            }
            #expect(store.record(for: Self.key(0)) == CalibrationSamples.record(Self.key(0)))
            #expect(store.record(for: CalibrationSamples.key(device: store.deviceID())) != nil)
        }

        @Test("CA-7: records that two processes save at the same time are all kept")
        func interleaved() async throws {
            let suite = Self.suiteName("save", of: getpid())
            defer { Self.remove(suite) }
            let store = LlamaContextCalibrationStore(suiteName: suite)
            let isOver = Locked(false)
            // Saves while the other process lives, but not without end: locks of files are not fair.
            let saving = Task.detached {
                var round = 0
                while round < 8 || (round < 64 && !isOver.withLock({ $0 })) {
                    let key = Self.key(1_000 + round % 8)
                    try store.save(CalibrationSamples.record(key, maximum: 512 + round))
                    #expect(store.record(for: key)?.maximumSupportedContext == 512 + round)
                    round += 1
                    await Task.yield()
                }
            }
            await #expect(processExitsWith: .success) {
                let store = LlamaContextCalibrationStore(suiteName: Self.suiteName("save", of: getppid()))
                for batch in 0..<30 { try store.save(CalibrationSamples.record(Self.key(batch))) }
            }
            isOver.withLock { $0 = true }
            try await saving.value
            let missing = (Array(0..<30) + Array(1_000..<1_008)).filter { store.record(for: Self.key($0)) == nil }
            #expect(missing == [])
        }

        #if os(Linux)
            // In a process of its own, because Foundation tries to write such a suite again and again.
            @Test("CA-7: preferences that cannot be written are an error each time, and no hindrance to others")
            func unwritable() async {
                await #expect(processExitsWith: .success) {
                    let suite = String(repeating: "name", count: 100)
                    let store = LlamaContextCalibrationStore(suiteName: suite)
                    for _ in 0..<2 {
                        #expect(throws: PreferencesFailure(suiteName: suite)) {
                            try store.save(CalibrationSamples.record())
                        }
                    }
                    let preferences = ScratchPreferences()
                    let other = LlamaContextCalibrationStore(suiteName: preferences.name)
                    for maximum in [1_024, 2_048] {
                        try other.save(CalibrationSamples.record(maximum: maximum))
                        #expect(other.record(for: CalibrationSamples.key())?.maximumSupportedContext == maximum)
                    }
                    #expect(UUID(uuidString: store.deviceID()) != nil)
                }
            }
        #endif
    }
#endif
