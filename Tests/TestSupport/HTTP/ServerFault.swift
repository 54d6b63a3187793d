/// One way in which a reply can be broken.
///
/// A fault changes the sound reply before it is sent, so faults can follow one another on the same reply.
public struct ServerFault: Sendable {
    let change: @Sendable (inout ServerReply, ServerRequest) -> Void

    /// Makes a fault of a function that changes the reply.
    public init(_ change: @escaping @Sendable (inout ServerReply, ServerRequest) -> Void) {
        self.change = change
    }

    /// Answers something else.
    public static func answer(_ reply: ServerReply) -> ServerFault {
        ServerFault { current, _ in current = reply }
    }

    // MARK: Connection

    /// Ends the connection after so many bytes of the body.
    public static func drop(after bytes: Int64, isReset: Bool = false) -> ServerFault {
        ServerFault { reply, _ in reply.cut = .init(after: bytes, isReset: isReset) }
    }

    /// Ends the connection without an answer.
    public static func dropBeforeHead(isReset: Bool = false) -> ServerFault {
        .drop(after: -1, isReset: isReset)
    }

    /// Sends nothing, not even the head, until the gate opens.
    public static func stallBeforeHead(until gate: ServerGate) -> ServerFault {
        ServerFault { reply, _ in reply.gateBeforeHead = gate }
    }

    /// Sends so many bytes of the body, then nothing until the gate opens.
    public static func stall(after bytes: Int64, until gate: ServerGate) -> ServerFault {
        ServerFault { reply, _ in reply.pauses.append(.init(after: bytes, at: gate)) }
    }

    /// Sends a piece of the body for each gate that opens, and the rest after the last.
    public static func drip(every bytes: Int64, through gates: [ServerGate]) -> ServerFault {
        ServerFault { reply, _ in
            reply.pauses += gates.enumerated().map { .init(after: Int64($0.offset) * bytes, at: $0.element) }
        }
    }

    /// Sends slowly, for trying things by hand.
    public static func slow(bytesPerSecond: Int64) -> ServerFault {
        ServerFault { reply, _ in reply.bytesPerSecond = bytesPerSecond }
    }

    /// Sends bytes in place of the status line and headers, then the body until the connection ends.
    public static func rawHead(_ bytes: [UInt8]) -> ServerFault {
        ServerFault { reply, _ in
            reply.rawHead = bytes
            reply.keepsConnection = false
        }
    }

    // MARK: Status

    /// Answers an error with an HTML page, as proxies do.
    public static func status(_ status: Int, headers: [ServerHeader] = []) -> ServerFault {
        ServerFault { reply, _ in
            reply = .html("<!DOCTYPE html><title>\(status)</title>", status: status)
            reply.headers += headers
        }
    }

    /// Answers 429 with a `Retry-After`, seconds or a date.
    public static func tooManyRequests(retryAfter: String? = nil) -> ServerFault {
        .status(429, headers: retryAfter.map { [ServerHeader("Retry-After", $0)] } ?? [])
    }

    /// Answers 416, naming a total if there is one.
    public static func rangeNotSatisfiable(total: Int64?) -> ServerFault {
        .status(416, headers: total.map { [ServerHeader("Content-Range", "bytes */\($0)")] } ?? [])
    }

    /// Redirects to a location that is sent as it stands: another origin, `file:`, nothing at all.
    public static func redirect(to location: String, status: Int = 302) -> ServerFault {
        .answer(.redirect(location, status: status))
    }

    /// Redirects every request to itself.
    public static let redirectLoop = ServerFault { reply, request in reply = .redirect(request.target) }

    /// Redirects to the same path with a longer query each time, so that no address comes twice.
    public static let endlessRedirect = ServerFault { reply, request in
        reply = .redirect(request.target + (request.target.contains("?") ? "&again" : "?again"))
    }

    // MARK: Headers

    /// Sets a header, or removes it with nil.
    public static func header(_ name: String, _ value: String?) -> ServerFault {
        ServerFault { reply, _ in reply[header: name] = value }
    }

    /// Says that the file has become another one.
    public static func etag(_ value: String?) -> ServerFault {
        .header("ETag", value)
    }

    /// Announces another length than is sent.
    public static func contentLength(_ length: Int64) -> ServerFault {
        ServerFault { reply, _ in reply.framing = .declaredLength(length) }
    }

    /// Sends the body chunked, without its length.
    public static func chunked(size: Int64 = 1 << 10) -> ServerFault {
        ServerFault { reply, _ in reply.framing = .chunked(size) }
    }

    /// Marks the end of the body by the end of the connection only.
    public static let lengthless = ServerFault { reply, _ in reply.framing = .connectionClose }

    // MARK: Ranges

    /// Answers 200 with the whole although a range was asked for.
    ///
    /// The whole has to be given, as a reply to a range holds only its part.
    public static func ignoreRange(of resource: ServerResource) -> ServerFault {
        ServerFault { reply, _ in
            var whole = resource
            whole.servesRanges = false
            reply.status = 200
            reply.body = whole.content
            reply[header: "Content-Range"] = nil
        }
    }

    /// Answers a range that begins so many bytes later, or earlier if negative, than asked.
    public static func shiftRange(by offset: Int64, of resource: ServerResource) -> ServerFault {
        ServerFault { reply, request in
            let first = request.header("Range").flatMap { Int64($0.dropFirst(6).prefix { $0 != "-" }) } ?? 0
            let total = resource.content.count
            let range = (first + offset..<total).clamped(to: 0..<total)
            reply.status = 206
            reply.body = resource.content.slice(range)
            reply[header: "Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
        }
    }

    /// Answers a range with the status of a whole, `Content-Range` and all.
    public static let rangeAs200 = ServerFault { reply, _ in reply.status = 200 }

    // MARK: Body

    /// Sends other bytes, with their own length.
    public static func body(_ content: ServerContent, type: String = "text/html") -> ServerFault {
        ServerFault { reply, _ in
            reply.body = content
            reply[header: "Content-Type"] = type
        }
    }

    /// Sends a page where data was asked for.
    public static let htmlInsteadOfData = ServerFault.body(ServerContent("<!DOCTYPE html><title>Sign in</title>"))

    /// Sends only the first bytes, and announces no more.
    public static func truncate(to bytes: Int64) -> ServerFault {
        ServerFault { reply, _ in reply.body = reply.body.slice(0..<bytes) }
    }

    /// Sends so many bytes too many, and announces them.
    public static func oversize(by bytes: Int64) -> ServerFault {
        ServerFault { reply, _ in reply.body = reply.body.appending(.pattern(seed: 99, count: bytes)) }
    }

    /// Changes one byte of what is sent.
    public static func corrupt(at offset: Int64) -> ServerFault {
        ServerFault { reply, _ in
            let changed = reply.body[offset..<offset + 1].map { ~$0 }
            reply.body = reply.body.replacing(at: offset, with: changed)
        }
    }

    /// Sends the body compressed, whether that was asked for or not.
    public static let gzip = ServerFault { reply, _ in
        reply.body = ServerContent(Gzip.storing(reply.body.bytes))
        reply[header: "Content-Encoding"] = "gzip"
    }

    /// Sends a few bytes that become very many zeros when they are decompressed.
    public static func gzipBomb(expandingTo count: Int) -> ServerFault {
        ServerFault { reply, _ in
            reply.body = ServerContent(Gzip.zeros(count))
            reply[header: "Content-Encoding"] = "gzip"
        }
    }
}
