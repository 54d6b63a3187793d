import Foundation

/// Fetches a file from front to back over one connection, as servers without ranges need it.
struct StreamTransfer: Sendable {
    let site: TransferSite

    /// Fetches until the file has arrived as far as the server's answers tell.
    ///
    /// - Parameters:
    ///   - state: How far the transfer is.
    ///   - failure: Why the request before ended too early, if it did; it counts as a try.
    /// - Returns: The state at the end.
    /// - Throws: What stopped the transfer.
    func run(_ state: StreamState, after failure: RetryableFailure?) async throws -> StreamState {
        var state = state
        var budget = site.retryBudget
        if let failure, !state.isEnded { _ = try await budget.spend(on: failure) }
        while !state.isEnded {
            try Task.checkCancellation()
            let current = Locked(state)
            do {
                try await exchange(current)
                state = current.withLock { $0 }
                if state.isShort {
                    _ = try await budget.spend(on: RetryableFailure(reason: "the server sent less than it said"))
                }
            } catch {
                state = current.withLock { $0 }
                guard case .retry(let failure) = DownloadFailure(error, url: site.item.url) else { throw error }
                _ = try await budget.spend(on: failure)
            }
        }
        return state
    }

    private func exchange(_ state: Locked<StreamState>) async throws {
        let (start, ifRange) = state.withLock { ($0.resumePoint, $0.sidecar.validator.ifRange) }
        let sink = BodySink(site: site) { head in
            try place(head, asked: start ?? 0, state)
        } onWrite: { buffer, range in
            let count = range.upperBound - range.lowerBound
            site.tally.receive(count)
            state.withLock { $0.have = range.upperBound }
            site.hasher.take(buffer, at: range.lowerBound)
        }
        let request = site.item.request(
            from: start, ifRange: start == nil ? nil : ifRange, timeout: site.configuration.requestTimeout)
        try await site.environment.client.fetch(request, into: sink)
        state.withLock { $0.endOfResponse() }
    }

    private func place(
        _ head: HTTPResponseHead, asked: Int64, _ state: Locked<StreamState>
    ) throws -> BodySink.Window? {
        let current = state.withLock { $0 }
        let judge = ResponseJudge(
            askedFrom: asked, knownTotal: current.total, validator: asked > 0 ? current.sidecar.validator : .unknown)
        switch try judge.judge(head, now: site.environment.clock.date()) {
        case .part(let part, let total) where asked > 0:
            if part.lowerBound < asked { site.hasher.rewind() }
            state.withLock { state in
                state.have = part.lowerBound
                if let total { state.sidecar.totalBytes = total }
            }
            return BodySink.Window(start: part.lowerBound)
        case .part(_, let total), .whole(let total):
            try startOver(head, total: total, state)
            return BodySink.Window(start: 0)
        case .beyondEnd(let total):
            guard total == current.have else { throw RemoteFileChanged() }
            state.withLock { $0.isEnded = true }
            return nil
        case .unusable: throw RetryableFailure(reason: "the server did not say which part it sent")
        }
    }

    /// The response is the file from its first byte on, whatever was asked for.
    private func startOver(_ head: HTTPResponseHead, total: Int64?, _ state: Locked<StreamState>) throws {
        try site.admit(total: total)
        var sidecar = site.item.sidecar
        sidecar.describe(head, total: total)
        // The sidecar of the old version must not describe bytes of the new one.
        try site.store.fileSystem.remove(site.store.files.sidecar)
        try site.file.truncate(to: 0)
        try site.store.save(sidecar)
        site.hasher.rewind()
        state.withLock { state in
            state.sidecar = sidecar
            state.have = 0
        }
    }
}

/// How far the transfer of a stream is.
struct StreamState: Sendable {
    var sidecar: DownloadSidecar
    /// The bytes that are there, from the first on.
    var have: Int64
    /// Whether nothing more is to come.
    var isEnded: Bool

    init(sidecar: DownloadSidecar, have: Int64) {
        self.sidecar = sidecar
        self.have = have
        isEnded = sidecar.totalBytes > 0 && have >= sidecar.totalBytes
    }

    init(_ opening: Opening) {
        self.init(sidecar: opening.sidecar, have: opening.received)
        if opening.failure == nil { endOfResponse() }
    }

    var total: Int64? { sidecar.totalBytes > 0 ? sidecar.totalBytes : nil }

    /// Whether a response ended well, but before the size that the file has.
    var isShort: Bool { !isEnded && total != nil }

    /// The byte to ask for; nil to ask for everything, because parts of versions could not be told apart.
    var resumePoint: Int64? { have > 0 && sidecar.validator.ifRange != nil ? have : nil }

    /// Notes that a response has ended as it should.
    mutating func endOfResponse() {
        isEnded = isEnded || total.map { have >= $0 } ?? true
    }
}
