import Foundation

/// The first request for a file, which finds out its size and whether the server can send parts.
struct OpeningRequest: Sendable {
    /// How much of a file to ask for before its size is known.
    static let probeBytes: Int64 = 256 << 10

    let site: TransferSite

    /// Sends the request until a server answers it with the file or a part of it.
    func send() async throws -> Opening {
        var budget = site.retryBudget
        var asksForPart = true
        while true {
            let notes = Locked(Notes(asksForPart: asksForPart))
            var failure: RetryableFailure?
            do {
                try await exchange(notes)
            } catch {
                guard case .retry(let retryable) = DownloadFailure(error, url: site.item.url) else { throw error }
                failure = retryable
            }
            if let opening = notes.withLock({ $0.opening(failure) }) { return opening }
            if let failure {
                _ = try await budget.spend(on: failure)
            } else if asksForPart {
                asksForPart = false
            } else {
                throw ModelDownloaderError.incompleteResponse
            }
        }
    }

    private func exchange(_ notes: Locked<Notes>) async throws {
        let sink = BodySink(site: site) { head in
            try place(head, notes)
        } onWrite: { buffer, range in
            site.tally.receive(range.upperBound - range.lowerBound)
            notes.withLock { $0.received = range.upperBound }
            site.hasher.take(buffer, at: range.lowerBound)
        }
        let asksForPart = notes.withLock { $0.asksForPart }
        let request = site.item.request(
            from: asksForPart ? 0 : nil, to: asksForPart ? probeEnd : nil, timeout: site.configuration.requestTimeout)
        try await site.environment.client.fetch(request, into: sink) { redirect in
            notes.withLock { $0.link(redirect.head) }
        }
    }

    private var probeEnd: Int64 { min(Self.probeBytes, Int64(site.configuration.chunkSize)) }

    private func place(_ head: HTTPResponseHead, _ notes: Locked<Notes>) throws -> BodySink.Window? {
        let verdict = try ResponseJudge(askedFrom: 0).judge(head, now: site.environment.clock.date())
        let asksForPart = notes.withLock { $0.asksForPart }
        switch verdict {
        case .part(_, let total?) where asksForPart:
            try begin(head, notes, total: total, isRanged: true)
            return BodySink.Window(start: 0, end: min(total, probeEnd))
        case .part(_, nil) where asksForPart: return nil
        case .part(_, let total), .whole(let total):
            try begin(head, notes, total: total, isRanged: false)
            return BodySink.Window(start: 0)
        case .beyondEnd(0): throw ModelDownloaderError.notAGGUF(MagicCheck.describe([]))
        case .beyondEnd, .unusable: return nil
        }
    }

    private func begin(_ head: HTTPResponseHead, _ notes: Locked<Notes>, total: Int64?, isRanged: Bool) throws {
        let linked = notes.withLock { ($0.linkedBytes, $0.linkedSHA256) }
        if let total, let bytes = linked.0, total != bytes {
            throw ModelDownloaderError.sizeMismatch(expected: bytes, actual: total)
        }
        try site.admit(total: total)
        var sidecar = site.item.sidecar
        sidecar.describe(head, total: total, linkedSHA256: linked.1)
        if isRanged {
            sidecar.chunkSize = Int64(site.configuration.chunkSize)
            sidecar.doneChunks = []
        }
        try site.file.truncate(to: isRanged ? total ?? 0 : 0)
        try site.store.save(sidecar)
        notes.withLock { $0.begun = (sidecar, isRanged) }
    }

    /// What has been learned from one exchange.
    private struct Notes {
        var asksForPart: Bool
        var linkedBytes: Int64?
        var linkedSHA256: String?
        var begun: (sidecar: DownloadSidecar, isRanged: Bool)?
        var received: Int64 = 0

        /// A hub says on its own redirect what the storage behind it holds.
        mutating func link(_ head: HTTPResponseHead) {
            if let size = head.headers["X-Linked-Size"].flatMap({ Int64($0) }), size >= 0 { linkedBytes = size }
            if let hash = head.headers["X-Linked-ETag"].flatMap(SHA256Text.normalized) { linkedSHA256 = hash }
        }

        func opening(_ failure: RetryableFailure?) -> Opening? {
            begun.map { Opening(sidecar: $0.sidecar, isRanged: $0.isRanged, received: received, failure: failure) }
        }
    }
}

/// How the transfer of a file began.
struct Opening: Sendable {
    var sidecar: DownloadSidecar
    /// Whether the file can be fetched in chunks.
    var isRanged: Bool
    /// The bytes that are there, from the first on.
    var received: Int64
    /// Why the response ended too early, if it did.
    var failure: RetryableFailure?

    var total: Int64? { sidecar.totalBytes > 0 ? sidecar.totalBytes : nil }
}

extension DownloadSidecar {
    /// Notes what a response says about the file.
    mutating func describe(_ head: HTTPResponseHead, total: Int64?, linkedSHA256: String? = nil) {
        etag = head.headers["ETag"]
        lastModified = head.headers["Last-Modified"]
        totalBytes = total ?? 0
        sha256 = sha256 ?? linkedSHA256 ?? etag.flatMap(SHA256Text.normalized)
    }

    /// Takes over what the caller of this time knows.
    mutating func update(from item: DownloadItem) {
        let own = item.sidecar
        displayName = own.displayName
        sha256 = own.sha256 ?? sha256
        guard item.membership != nil else { return }
        (repo, revision, commit, path) = (own.repo, own.revision, own.commit, own.path)
        (role, setID, resolution) = (own.role, own.setID, own.resolution)
    }
}
