/// Tells a caller how far a download is, four times a second at most, and once more at the end.
struct ProgressReporter: Sendable {
    static let period = Duration.milliseconds(250)

    let ledger: ProgressLedger
    let clock: DownloadClock
    let onProgress: @Sendable (DownloadProgress) -> Void

    /// Reports while `body` runs, and the final state if it succeeds.
    func reporting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        // The first report tells what was there before any byte came.
        let first = ledger.snapshot
        onProgress(DownloadProgress(bytesReceived: first.present, totalBytes: first.total, bytesPerSecond: 0))
        let value = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await report(after: first) }
            defer { group.cancelAll() }
            return try await body()
        }
        let end = ledger.snapshot
        onProgress(DownloadProgress(bytesReceived: end.present, totalBytes: end.present, bytesPerSecond: 0))
        return value
    }

    private func report(after first: ProgressLedger.Snapshot) async {
        var meter = DownloadMeter()
        meter.record(first.received, at: clock.now())
        var last = DownloadProgress(bytesReceived: first.present, totalBytes: first.total, bytesPerSecond: 0)
        while (try? await clock.sleep(Self.period)) != nil {
            let now = ledger.snapshot
            meter.record(now.received, at: clock.now())
            let progress = DownloadProgress(
                bytesReceived: now.present, totalBytes: now.total, bytesPerSecond: meter.bytesPerSecond)
            if progress != last { onProgress(progress) }
            last = progress
        }
    }
}
