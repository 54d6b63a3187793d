/// A file as a web server offers it: with ranges, validators and `HEAD`.
public struct ServerResource: Sendable {
    /// The bytes.
    public var content: ServerContent

    /// The value of `ETag`, with its quotes.
    public var etag: String?

    /// The value of `Last-Modified`.
    public var lastModified: String?

    /// Whether ranges are served; without, every reply is the whole.
    public var servesRanges = true

    /// Further headers.
    public var headers: [ServerHeader]

    /// Makes a resource.
    public init(
        _ content: ServerContent, etag: String? = nil, lastModified: String? = nil, headers: [ServerHeader] = []
    ) {
        self.content = content
        self.etag = etag
        self.lastModified = lastModified
        self.headers = headers
    }

    /// The sound reply: 200, 206 for one range whose `If-Range` holds, or 416.
    public func reply(to request: ServerRequest) -> ServerReply {
        guard request.method == "GET" || request.method == "HEAD" else { return .text("", status: 405) }
        var reply = ServerReply(headers: headers, body: content)
        if reply[header: "Content-Type"] == nil { reply[header: "Content-Type"] = "application/octet-stream" }
        reply[header: "ETag"] = etag
        reply[header: "Last-Modified"] = lastModified
        if servesRanges { reply[header: "Accept-Ranges"] = "bytes" }
        guard servesRanges, request.method == "GET", ifRangeHolds(request),
            let asked = request.header("Range"), let range = AskedRange(asked)
        else { return reply }
        guard let bounds = range.bounds(in: content.count) else {
            reply.status = 416
            reply.body = .empty
            reply[header: "Content-Range"] = "bytes */\(content.count)"
            return reply
        }
        reply.status = 206
        reply.body = content.slice(bounds)
        reply[header: "Content-Range"] = "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(content.count)"
        return reply
    }

    /// A weak validator never holds: it does not promise the same bytes.
    private func ifRangeHolds(_ request: ServerRequest) -> Bool {
        guard let validator = request.header("If-Range") else { return true }
        if validator.hasPrefix("W/") { return false }
        return validator == etag || validator == lastModified
    }
}

/// One range of a `Range` header.
private enum AskedRange {
    case from(Int64, through: Int64?)
    case last(Int64)

    /// Lists of ranges are served whole, as a server may.
    init?(_ value: String) {
        guard value.hasPrefix("bytes=") else { return nil }
        let ends = value.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        switch (Int64(ends[0]), Int64(ends[1])) {
        case (nil, let count?) where ends[0].isEmpty: self = .last(count)
        case (let first?, nil) where ends[1].isEmpty: self = .from(first, through: nil)
        case (let first?, let last?) where first <= last: self = .from(first, through: last)
        default: return nil
        }
    }

    func bounds(in count: Int64) -> Range<Int64>? {
        switch self {
        case .from(let first, let last):
            guard first < count else { return nil }
            return first..<min(last ?? (count - 1), count - 1) + 1
        case .last(let wanted):
            guard wanted > 0, count > 0 else { return nil }
            return max(0, count - wanted)..<count
        }
    }
}
