/// What the test server answers, sound or broken in any way.
public struct ServerReply: Sendable {
    /// The status code.
    public var status: Int

    /// The headers, in order; the ones that frame the body are added when it is sent.
    public var headers: [ServerHeader]

    /// The body, which is left out for a `HEAD` request and for a status that has none.
    public var body: ServerContent

    /// How the client learns where the body ends.
    public var framing = Framing.contentLength

    /// Heads with a status of 1xx that are sent before the real one.
    public var interimHeads: [(status: Int, headers: [ServerHeader])] = []

    /// Bytes to send in place of the status line and all headers.
    public var rawHead: [UInt8]?

    /// A gate to wait at before anything is sent.
    public var gateBeforeHead: ServerGate?

    /// Gates to wait at once so many bytes of the body are sent.
    public var pauses: [Pause] = []

    /// Ends the connection after so many bytes of the body.
    public var cut: Cut?

    /// The most bytes of body that are sent in a second, for trying things by hand.
    public var bytesPerSecond: Int64?

    /// Whether the connection may serve another request afterwards.
    public var keepsConnection = true

    /// Makes a sound reply.
    public init(status: Int = 200, headers: [ServerHeader] = [], body: ServerContent = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// How the end of a body is marked.
    public enum Framing: Sendable, Hashable {
        /// `Content-Length` with the true length.
        case contentLength

        /// `Content-Length` with another length than the body has.
        case declaredLength(Int64)

        /// `Transfer-Encoding: chunked`, in chunks of at most so many bytes.
        case chunked(Int64)

        /// The end of the connection.
        case connectionClose
    }

    /// A wait within the body.
    public struct Pause: Sendable {
        /// How many bytes of the body are sent before.
        public var offset: Int64

        /// Where to wait.
        public var gate: ServerGate

        /// Makes a wait.
        public init(after offset: Int64, at gate: ServerGate) {
            self.offset = offset
            self.gate = gate
        }
    }

    /// An early end of the connection.
    public struct Cut: Sendable, Hashable {
        /// How many bytes of the body are sent before; -1 to send not even the head.
        public var offset: Int64

        /// Whether the connection is reset instead of closed in order.
        public var isReset: Bool

        /// Makes an end.
        public init(after offset: Int64, isReset: Bool = false) {
            self.offset = offset
            self.isReset = isReset
        }
    }

    /// The first value of a header; setting replaces all of them, nil removes them.
    public subscript(header name: String) -> String? {
        get { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            headers.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { headers.append(ServerHeader(name, newValue)) }
        }
    }
}

extension ServerReply {
    /// A plain text.
    public static func text(_ text: String, status: Int = 200) -> ServerReply {
        ServerReply(status: status, headers: [ServerHeader("Content-Type", "text/plain")], body: ServerContent(text))
    }

    /// A JSON document.
    public static func json(_ text: String, status: Int = 200) -> ServerReply {
        let type = ServerHeader("Content-Type", "application/json; charset=utf-8")
        return ServerReply(status: status, headers: [type], body: ServerContent(text))
    }

    /// A page as browsers get them.
    public static func html(_ text: String, status: Int = 200) -> ServerReply {
        let type = ServerHeader("Content-Type", "text/html; charset=utf-8")
        return ServerReply(status: status, headers: [type], body: ServerContent(text))
    }

    /// A redirect to a location that is sent as it stands.
    public static func redirect(_ location: String, status: Int = 302) -> ServerReply {
        ServerReply(status: status, headers: [ServerHeader("Location", location)])
    }
}
