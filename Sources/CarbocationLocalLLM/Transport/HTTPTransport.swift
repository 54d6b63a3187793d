package import Foundation

/// Sends one HTTP request and streams the response.
///
/// Redirects are responses like any other.
/// Implementations verify TLS, honour proxies from the environment unless the request has a route, never add credentials
/// or cookies, and stop receiving within 200 ms of a cancellation.
package protocol HTTPTransport: Sendable {
    /// Sends `request` and hands the response to `receiver`, on a thread of the transport's own.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - receiver: Gets the head, then the body piece by piece. What it throws ends the exchange and is rethrown.
    /// - Throws: `HTTPTransportError`, `CancellationError`, or what `receiver` threw.
    func perform(_ request: HTTPRequest, receiver: any HTTPResponseReceiver) async throws
}

/// Receives a response while it arrives.
///
/// Called by one thread at a time, in order, never after `perform` ended.
package protocol HTTPResponseReceiver: AnyObject, Sendable {
    /// The status line and headers. Called exactly once, before any body.
    func receive(head: HTTPResponseHead) throws

    /// The next bytes of the decoded body; blocking here holds the server up.
    func receive(body: UnsafeRawBufferPointer) throws
}

/// What to send.
package struct HTTPRequest: Sendable, Hashable {
    package var method: String
    package var url: URL
    package var headers: HTTPHeaders
    /// Seconds without any byte after which the exchange fails; also the limit for connecting.
    package var timeout: TimeInterval
    /// Lets the server compress the body, which arrives decompressed.
    ///
    /// A good answer that is compressed although this is off fails with `malformedResponse`.
    package var acceptsCompression: Bool
    /// The most bytes of decompressed body; more fail with `bodyTooLarge`.
    ///
    /// Nil for no limit but the 64 MiB that a compressed body may become.
    package var maximumBodyBytes: Int64?
    /// Whom to ask; nil for whomever the system finds, through the proxies of the environment.
    package var route: HTTPRoute?

    package init(
        method: String = "GET", url: URL, headers: HTTPHeaders = [:], timeout: TimeInterval = 60,
        acceptsCompression: Bool = false, maximumBodyBytes: Int64? = nil, route: HTTPRoute? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.timeout = timeout
        self.acceptsCompression = acceptsCompression
        self.maximumBodyBytes = maximumBodyBytes
        self.route = route
    }
}

/// The status line and headers of a response.
package struct HTTPResponseHead: Sendable, Hashable {
    package var status: Int
    package var headers: HTTPHeaders

    package init(status: Int, headers: HTTPHeaders = [:]) {
        self.status = status
        self.headers = headers
    }
}

/// Header fields in order; names compare without regard to case.
package struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    package private(set) var fields: [Field]

    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first value of `name`; setting replaces all of them, nil removes them.
    package subscript(name: String) -> String? {
        get { fields.first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// All values of `name`, in order.
    package func values(of name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// Adds a value beside those that are there.
    package mutating func add(_ value: String, for name: String) {
        fields.append(Field(name: name, value: value))
    }
}

/// Why an exchange failed before a whole response was received.
package enum HTTPTransportError: Error, Sendable, Equatable {
    /// Only http and https can be sent; the request's own data may be malformed.
    case invalidRequest(String)
    /// The host name could not be resolved.
    case hostNotFound(String)
    /// No connection, or it broke; the text is the system's reason.
    case connection(String)
    /// The certificate or handshake was refused.
    case tls(String)
    /// Nothing arrived for the request's timeout.
    case timedOut
    /// The connection ended before the announced length.
    case incompleteBody
    /// The body is larger than the request allows.
    case bodyTooLarge
    /// The body could not be decompressed, or the response is no HTTP.
    case malformedResponse(String)
    /// The host led to another address than the request's route allows.
    case forbiddenPeer(String)
}
