import Foundation

/// Checks a response against its request while it arrives.
struct ResponseGuard {
    /// The most bytes that a compressed body may become when the request sets no limit.
    static let inflationLimit: Int64 = 64 << 20

    private let request: HTTPRequest
    private var expectation: Expectation?
    private var received: Int64 = 0

    /// What a head says of the body that follows, read once because bodies come in many pieces.
    private struct Expectation {
        let isRefused: Bool
        let limit: Int64?
        let length: Int64?
    }

    init(_ request: HTTPRequest) {
        self.request = request
    }

    /// Whether the head has been admitted.
    var hasHead: Bool { expectation != nil }

    mutating func admit(_ head: HTTPResponseHead) {
        let isCompressed = Self.isCompressed(head)
        expectation = Expectation(
            isRefused: isCompressed && !request.acceptsCompression && (200..<300).contains(head.status),
            limit: request.maximumBodyBytes ?? (isCompressed ? Self.inflationLimit : nil),
            length: isCompressed ? nil : announcedLength(head))
    }

    /// Refuses a body of whose size the head says too much, before any of it comes.
    func checkAnnouncedLength() throws(HTTPTransportError) {
        if let length = expectation?.length, let limit = expectation?.limit, length > limit { throw .bodyTooLarge }
    }

    mutating func admit(bodyBytes count: Int) throws(HTTPTransportError) {
        if let expectation, expectation.isRefused {
            throw .malformedResponse("The server compressed the body although that was not asked for.")
        }
        received += Int64(count)
        if let limit = expectation?.limit ?? request.maximumBodyBytes, received > limit { throw .bodyTooLarge }
    }

    /// Refuses an end before the head or before the announced length.
    func checkEnd() throws(HTTPTransportError) {
        guard let expectation else { throw .connection("The connection ended before the response's head.") }
        if let length = expectation.length, received < length { throw .incompleteBody }
    }

    private static func isCompressed(_ head: HTTPResponseHead) -> Bool {
        head.headers["Content-Encoding"].map { !["", "identity"].contains($0.lowercased()) } ?? false
    }

    /// How many bytes of body the head announces; nil if it does not say.
    private func announcedLength(_ head: HTTPResponseHead) -> Int64? {
        guard request.method != "HEAD", head.status != 204, head.status != 304,
            head.headers["Transfer-Encoding"] == nil
        else { return nil }
        return head.headers["Content-Length"].flatMap { Int64($0) }
    }
}
