import Foundation

/// Decides what a response means for a file of which some bytes may be there already.
struct ResponseJudge: Sendable {
    /// The first byte that was asked for.
    var askedFrom: Int64
    /// The size of the whole file, if it is known.
    var knownTotal: Int64?
    /// What was said about the version that the bytes on disk belong to.
    var validator = RemoteValidator.unknown

    /// What the body is.
    enum Verdict: Sendable, Equatable {
        /// A part of the file.
        case part(Range<Int64>, total: Int64?)
        /// The file from its first byte on.
        case whole(total: Int64?)
        /// Nothing: the file ends at or before the byte that was asked for.
        case beyondEnd(total: Int64)
        /// A part whose place cannot be told, or a refusal of the range without a reason.
        case unusable
    }

    /// Judges a head.
    ///
    /// - Throws: `ModelDownloaderError` where trying again is no use, `RetryableFailure`, or `RemoteFileChanged`.
    func judge(_ head: HTTPResponseHead, now: Date) throws -> Verdict {
        let range = head.headers["Content-Range"].flatMap(ContentRange.init)
        switch head.status {
        case 200, 206: return try success(head, range)
        case 416:
            guard case .unsatisfied(let total)? = range else { return .unusable }
            return .beyondEnd(total: total)
        case 401: throw ModelDownloaderError.unauthorized
        case 403: throw ModelDownloaderError.gated
        case 404: throw ModelDownloaderError.notFound
        case let status where RetrySchedule.isTransient(status: status):
            let wait = head.headers["Retry-After"].flatMap { RetryAfter.seconds(in: $0, now: now) }
            throw RetryableFailure(
                reason: "the server answered with status \(status)", retryAfter: wait,
                wantsFewerRequests: status == 429 || status == 503)
        default: throw ModelDownloaderError.httpStatus(head.status)
        }
    }

    /// What the body carries decides, whatever the status says about it.
    private func success(_ head: HTTPResponseHead, _ range: ContentRange?) throws -> Verdict {
        guard case .bytes(let bytes, let total)? = range else {
            return head.status == 206 ? .unusable : .whole(total: Self.length(head))
        }
        guard validator.agrees(with: RemoteValidator(head)) else { throw RemoteFileChanged() }
        if let knownTotal, let total, total != knownTotal { throw RemoteFileChanged() }
        guard bytes.lowerBound <= askedFrom else { throw RemoteFileChanged() }
        guard bytes.upperBound > askedFrom else {
            throw RetryableFailure(reason: "the server sent another part than was asked for")
        }
        try checkBody(of: head, part: bytes)
        return .part(bytes, total: total)
    }

    /// What a proxy puts in place of a part must not be written into the file, however right the head looks.
    ///
    /// At the start of a file its first bytes tell what it is.
    private func checkBody(of head: HTTPResponseHead, part: Range<Int64>) throws {
        guard askedFrom > 0 else { return }
        if head.headers["Content-Type"]?.lowercased().hasPrefix("text/html") ?? false {
            throw RetryableFailure(reason: "the server sent a page instead of a part of the file")
        }
        if let length = Self.length(head), length != part.upperBound - part.lowerBound {
            throw RetryableFailure(reason: "the server sent another amount than the part it announced")
        }
    }

    private static func length(_ head: HTTPResponseHead) -> Int64? {
        guard head.headers["Content-Encoding"].map({ ["", "identity"].contains($0.lowercased()) }) ?? true else {
            return nil
        }
        return head.headers["Content-Length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}

/// A failure after which the same request may succeed.
struct RetryableFailure: Error {
    var reason: String
    /// The seconds that the server asked to wait.
    var retryAfter: TimeInterval?
    /// Whether the server has more to do than it can.
    var wantsFewerRequests = false
}

/// The bytes on disk belong to another version of the file than the server has now.
struct RemoteFileChanged: Error {}
