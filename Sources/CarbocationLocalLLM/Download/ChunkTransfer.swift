import Foundation

/// Fetches the missing chunks of a file over several connections at a time.
struct ChunkTransfer: Sendable {
    /// A shorter answer than was asked for is a failure unless it brings at least this much.
    static let leastProgress: Int64 = 64 << 10

    let site: TransferSite
    let journal: ChunkJournal
    /// The bytes of the first chunk that are there already.
    let head: Int64
    private let isOverloaded = Locked(false)

    init(site: TransferSite, journal: ChunkJournal, head: Int64) {
        self.site = site
        self.journal = journal
        self.head = head
    }

    /// Returns when all chunks are written.
    ///
    /// - Throws: What stopped the transfer. Failures of requests are thrown after the other workers have finished the
    ///   chunks that they were at, all others at once. Chunks that are written are listed in any case.
    func run() async throws {
        do {
            try await withCheckpoints { try await runWorkers() }
        } catch {
            // The error that is under way matters more than one of the bookkeeping.
            try? await journal.checkpoint()
            try Task.checkCancellation()
            throw error
        }
    }

    private func runWorkers() async throws {
        let limit = min(Int64(site.configuration.parallelConnections), journal.missingCount)
        let failure = await withTaskGroup(of: Event.self) { group in
            var ramp = ConnectionRamp(limit: Int(limit))
            var first: (any Error)?
            addWorkers(ramp.start(received: site.tally.received), to: &group, more: ramp.isRising)
            for await event in group {
                switch event {
                case .ended(let failure):
                    ramp.workerEnded()
                    first = first ?? failure
                    if let failure, !Self.endsAtOnce(failure) { site.control.drain() }
                    if failure.map(Self.endsAtOnce) ?? false || ramp.count == 0 { group.cancelAll() }
                case .interval:
                    if isOverloaded.withLock(\.self) { ramp.settle() }
                    addWorkers(ramp.next(received: site.tally.received), to: &group, more: ramp.isRising)
                }
            }
            return first
        }
        if let failure { throw failure }
    }

    /// What the workers' group tells.
    private enum Event: Sendable {
        /// A worker has ended, because of a failure if there is one.
        case ended((any Error)?)
        /// It is time to see whether more workers would help.
        case interval
    }

    private func addWorkers(_ count: Int, to group: inout TaskGroup<Event>, more: Bool) {
        for _ in 0..<count { group.addTask { .ended(await work()) } }
        guard more else { return }
        group.addTask {
            try? await site.environment.clock.sleep(ConnectionRamp.interval)
            return .interval
        }
    }

    private static func endsAtOnce(_ failure: any Error) -> Bool {
        switch failure {
        case is RemoteFileChanged, is FileSystemFailure, is CancellationError, ModelDownloaderError.notAGGUF: true
        default: false
        }
    }

    // MARK: One worker

    private func work() async -> (any Error)? {
        do {
            while !site.control.isDraining, let (index, range) = journal.take() {
                guard try await fetch(index, range) else { break }
            }
            return nil
        } catch {
            return error
        }
    }

    /// Fetches one chunk; false when the workers should stop before it is complete.
    private func fetch(_ index: Int64, _ range: Range<Int64>) async throws -> Bool {
        var cursor = index == 0 ? min(head, range.upperBound) : range.lowerBound
        var hasOverwritten = false
        var budget = site.retryBudget
        while cursor < range.upperBound {
            try Task.checkCancellation()
            let (reached, start, failure) = try await exchange(index, cursor..<range.upperBound)
            if let start, start < cursor { hasOverwritten = true }
            let progress = reached - cursor
            cursor = max(cursor, reached)
            if let failure {
                guard try await budget.spend(on: failure) else { return false }
            } else if cursor < range.upperBound, progress < Self.leastProgress {
                let failure = RetryableFailure(reason: "the server sent less than was asked for")
                guard try await budget.spend(on: failure) else { return false }
            }
        }
        journal.finish(index, hasOverwritten: hasOverwritten)
        return true
    }

    /// Sends one request.
    ///
    /// - Returns: Up to where the file is written now, where the response began, and why the exchange ended early.
    private func exchange(_ index: Int64, _ range: Range<Int64>) async throws -> (Int64, Int64?, RetryableFailure?) {
        let start = Locked<Int64?>(nil)
        let sink = BodySink(site: site) { head in
            let window = try place(head, range)
            start.withLock { $0 = window.start }
            return window
        } onWrite: { buffer, written in
            site.tally.receive(written.upperBound - max(written.lowerBound, min(range.lowerBound, written.upperBound)))
            if journal.isFirstGap(index) { site.hasher.take(buffer, at: written.lowerBound) }
        }
        let request = site.item.request(
            from: range.lowerBound, to: range.upperBound, ifRange: journal.validator.ifRange,
            timeout: site.configuration.requestTimeout)
        do {
            try await site.environment.client.fetch(request, into: sink)
            return (sink.cursor ?? range.lowerBound, start.withLock { $0 }, nil)
        } catch {
            guard case .retry(let failure) = DownloadFailure(error, url: site.item.url) else { throw error }
            if failure.wantsFewerRequests { isOverloaded.withLock { $0 = true } }
            return (sink.cursor ?? range.lowerBound, start.withLock { $0 }, failure)
        }
    }

    private func place(_ head: HTTPResponseHead, _ range: Range<Int64>) throws -> BodySink.Window {
        let judge = ResponseJudge(
            askedFrom: range.lowerBound, knownTotal: journal.totalBytes, validator: journal.validator)
        switch try judge.judge(head, now: site.environment.clock.date()) {
        case .part(let part, _): return BodySink.Window(start: part.lowerBound, end: range.upperBound)
        case .whole, .beyondEnd: throw RemoteFileChanged()
        case .unusable: throw RetryableFailure(reason: "the server did not say which part it sent")
        }
    }

    // MARK: Bookkeeping

    /// Lists what has arrived once a second while `body` runs.
    private func withCheckpoints(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    try await site.environment.clock.sleep(.seconds(1))
                    // What fails now is tried again in a second, and at the end.
                    try? await journal.checkpoint()
                }
            }
            defer { group.cancelAll() }
            try await body()
        }
    }
}
