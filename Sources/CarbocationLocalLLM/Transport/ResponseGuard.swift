import Foundation

/// Checks a response against its request while it arrives.
struct ResponseGuard {
    /// The most bytes that a compressed body may become when the request sets no limit.
    static let inflationLimit: Int64 = 64 << 20

    private let request: HTTPRequest
    private var head: HTTPResponseHead?
    private var received: Int64 = 0

    init(_ request: HTTPRequest) {
        self.request = request
    }

    /// Whether the head has been admitted.
    var hasHead: Bool { head != nil }

    mutating func admit(_ head: HTTPResponseHead) {
        self.head = head
    }

    /// Refuses a body of whose size the head says too much, before any of it comes.
    func checkAnnouncedLength() throws(HTTPTransportError) {
        if let announcedLength, let limit, announcedLength > limit { throw .bodyTooLarge }
    }

    mutating func admit(bodyBytes count: Int) throws(HTTPTransportError) {
        if isCompressed, !request.acceptsCompression, let head, (200..<300).contains(head.status) {
            throw .malformedResponse("The server compressed the body although that was not asked for.")
        }
        received += Int64(count)
        if let limit, received > limit { throw .bodyTooLarge }
    }

    /// Refuses an end before the head or before the announced length.
    func checkEnd() throws(HTTPTransportError) {
        guard hasHead else { throw .connection("The connection ended before the response's head.") }
        if let announcedLength, received < announcedLength { throw .incompleteBody }
    }

    private var limit: Int64? {
        request.maximumBodyBytes ?? (isCompressed ? Self.inflationLimit : nil)
    }

    private var isCompressed: Bool {
        head?.headers["Content-Encoding"].map { !["", "identity"].contains($0.lowercased()) } ?? false
    }

    /// How many bytes of body the head announces; nil if it does not say, or not about the decoded body.
    private var announcedLength: Int64? {
        guard let head, request.method != "HEAD", head.status != 204, head.status != 304, !isCompressed,
            head.headers["Transfer-Encoding"] == nil
        else { return nil }
        return head.headers["Content-Length"].flatMap { Int64($0) }
    }
}
