/// Tells a caller how far a download is, four times a second at most, and once more at the end.
struct ProgressReporter: Sendable {
    static let period = Duration.milliseconds(250)

    let ledger: ProgressLedger
    let clock: DownloadClock
    let onProgress: @Sendable (DownloadProgress) -> Void

    /// Reports while `body` runs, and the final state if it succeeds.
    func reporting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let value = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await report() }
            defer { group.cancelAll() }
            return try await body()
        }
        let end = ledger.snapshot
        onProgress(DownloadProgress(bytesReceived: end.present, totalBytes: end.present, bytesPerSecond: 0))
        return value
    }

    private func report() async {
        var meter = DownloadMeter()
        var last: DownloadProgress?
        while !Task.isCancelled {
            let now = ledger.snapshot
            meter.record(now.received, at: clock.now())
            let progress = DownloadProgress(
                bytesReceived: now.present, totalBytes: now.total, bytesPerSecond: meter.bytesPerSecond)
            if progress != last { onProgress(progress) }
            last = progress
            do { try await clock.sleep(Self.period) } catch { return }
        }
    }
}
