package import CarbocationLocalLLM
import Foundation

/// A transport without a network, whose answers come from the same handlers as a test server's.
///
/// It answers at once: gates and speeds of a reply are passed over. Bodies come in pieces of a fixed size. What a cut
/// leaves of a reply becomes the error that a real transport gives.
package final class InMemoryTransport: HTTPTransport {
    private let handler: HTTPTestServer.Handler
    private let pieceSize: Int64
    private let asked = Locked<[HTTPRequest]>([])

    /// What is broken.
    package let faults: FaultPlan

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - pieceSize: The most bytes that the receiver gets at once.
    ///   - faults: What to break.
    ///   - handler: Answers the requests.
    package init(
        pieceSize: Int64 = 1000, faults: FaultPlan = FaultPlan(), handler: @escaping HTTPTestServer.Handler
    ) {
        self.pieceSize = pieceSize
        self.faults = faults
        self.handler = handler
    }

    /// The requests so far.
    package var requests: [HTTPRequest] { asked.withLock { $0 } }

    package func perform(_ request: HTTPRequest, receiver: any HTTPResponseReceiver) async throws {
        try Task.checkCancellation()
        let asked = try ServerRequest(request)
        self.asked.withLock { $0.append(request) }
        let reply = faults.apply(to: handler(asked), for: asked)
        try deliver(reply, request, receiver)
    }

    private func deliver(
        _ reply: ServerReply, _ request: HTTPRequest, _ receiver: any HTTPResponseReceiver
    ) throws {
        let cut = reply.cut?.offset ?? Int64.max
        guard cut >= 0, reply.rawHead == nil else { throw HTTPTransportError.connection("reply cut") }
        var head = HTTPResponseHead(status: reply.status)
        for header in reply.headers { head.headers.add(header.value, for: header.name) }
        let announced = Self.announcedLength(of: reply)
        if let announced, head.headers["Content-Length"] == nil { head.headers["Content-Length"] = "\(announced)" }
        try receiver.receive(head: head)
        guard request.method != "HEAD" else { return }
        let limit = request.maximumBodyBytes ?? Int64.max
        if let announced, announced > limit { throw HTTPTransportError.bodyTooLarge }
        let end = min(reply.body.count, cut, announced ?? Int64.max)
        for start in stride(from: 0, to: end, by: Int64.Stride(pieceSize)) {
            try Task.checkCancellation()
            guard min(start + pieceSize, end) <= limit else { throw HTTPTransportError.bodyTooLarge }
            try reply.body[start..<min(start + pieceSize, end)].withUnsafeBytes { try receiver.receive(body: $0) }
        }
        let isWhole = end == announced ?? reply.body.count
        if !isWhole { throw HTTPTransportError.incompleteBody }
    }

    private static func announcedLength(of reply: ServerReply) -> Int64? {
        switch reply.framing {
        case .contentLength: reply.body.count
        case .declaredLength(let length): length
        case .chunked, .connectionClose: nil
        }
    }
}

extension ServerRequest {
    /// The request that a server would see, or the error for one that cannot be sent.
    fileprivate init(_ request: HTTPRequest) throws {
        guard let origin = HTTPOrigin(request.url), request.url.user(percentEncoded: true) == nil else {
            throw HTTPTransportError.invalidRequest("no http")
        }
        let path = request.url.path(percentEncoded: true)
        let query = request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        self.init(
            method: request.method, target: (path.isEmpty ? "/" : path) + query,
            headers: request.headers.fields.map { ServerHeader($0.name, $0.value) }, body: [],
            port: UInt16(clamping: origin.port), connection: 1)
    }
}
