import Testing

@testable import CarbocationLocalLLM

@Suite("Progress", .timeLimit(.minutes(10)))
struct ProgressReporterTests {
    @Test("DL-16: the speed is that of the last five seconds, and does not count what was on disk")
    func speed() {
        var meter = DownloadMeter()
        #expect(meter.bytesPerSecond == 0)
        meter.record(0, at: .seconds(100))
        #expect(meter.bytesPerSecond == 0)
        meter.record(1000, at: .seconds(101))
        #expect(meter.bytesPerSecond == 1000)
        for second in 102...110 { meter.record(1000, at: .seconds(second)) }
        #expect(meter.bytesPerSecond == 0)
        meter.record(6000, at: .seconds(111))
        #expect(meter.bytesPerSecond == 1000)
    }

    @Test("time that stands, and bytes that become fewer, give no infinite or negative speed")
    func edges() {
        var meter = DownloadMeter()
        meter.record(10, at: .seconds(1))
        meter.record(1000, at: .seconds(1))
        #expect(meter.bytesPerSecond == 0)
        meter.record(5, at: .seconds(2))
        #expect(meter.bytesPerSecond == 0)
    }

    @Test("the meter's memory does not grow")
    func bounded() {
        var meter = DownloadMeter()
        for tick in 0..<10_000 { meter.record(Int64(tick), at: .milliseconds(250 * tick)) }
        #expect(meter.bytesPerSecond == 4)
        #expect(MemoryLayout.size(ofValue: meter) <= 16)
    }

    @Test("DL-16: four reports a second at most, and one at the end with all bytes and no speed")
    func reports() async throws {
        let clock = TestClock()
        let ledger = ProgressLedger(totals: [1000, 500])
        ledger.setPresent(100, of: 1)
        let reports = Locked<[DownloadProgress]>([])
        let reporter = ProgressReporter(ledger: ledger, clock: clock.downloadClock) { progress in
            reports.withLock { $0.append(progress) }
        }
        try await reporter.reporting {
            for _ in 0..<8 {
                await clock.sleeping()
                for _ in 0..<10 { ledger.receive(10, of: 0) }
                clock.advance(by: .milliseconds(250))
            }
            await clock.sleeping()
            ledger.receive(200, of: 0)
            ledger.receive(400, of: 1)
        }
        let all = reports.withLock { $0 }
        #expect(all.count == 10)
        #expect(all.first == DownloadProgress(bytesReceived: 100, totalBytes: 1500, bytesPerSecond: 0))
        #expect(all[4] == DownloadProgress(bytesReceived: 500, totalBytes: 1500, bytesPerSecond: 400))
        #expect(all.last == DownloadProgress(bytesReceived: 1500, totalBytes: 1500, bytesPerSecond: 0))
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.bytesReceived <= $1.bytesReceived })
    }

    @Test("DL-16: a failure has no final report, and nothing is reported after it")
    func failure() async {
        struct Failure: Error {}
        let clock = TestClock()
        let count = Locked(0)
        let reporter = ProgressReporter(ledger: ProgressLedger(totals: [10]), clock: clock.downloadClock) { _ in
            count.withLock { $0 += 1 }
        }
        await #expect(throws: Failure.self) {
            try await reporter.reporting {
                await clock.sleeping()
                throw Failure()
            }
        }
        clock.advance(by: .seconds(10))
        #expect(count.withLock { $0 } == 1)
    }

    @Test("DL-16: sums saturate, bytes that come twice count once, an unknown size makes the total unknown")
    func ledger() {
        let ledger = ProgressLedger(totals: [Int64.max, 10])
        ledger.setPresent(Int64.max, of: 0)
        ledger.receive(8, of: 1)
        ledger.receive(8, of: 1)
        #expect(ledger.snapshot == .init(present: .max, total: .max, received: 16))
        ledger.setTotal(0, of: 0)
        #expect(ledger.snapshot.total == 0)
        #expect(ledger.remaining(except: 0) == 0)
        ledger.setPresent(3, of: 1)
        #expect(ledger.remaining(except: 0) == 7)
    }
}
