import Foundation

/// Collects a body of limited size.
final class BodyCollector: HTTPResponseReceiver {
    private struct State {
        var head: HTTPResponseHead?
        var body = Data()
        var hasEnough = false
    }

    private struct Enough: Error {}

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether the rest of an error's body was refused, so that the failure that this caused is none.
    var hasEnough: Bool {
        state.withLock { $0.hasEnough }
    }

    func response(from destination: HTTPDestination) throws -> HTTPResponse {
        try state.withLock { state in
            guard let head = state.head else { throw HTTPTransportError.malformedResponse("The response has no head.") }
            return HTTPResponse(destination: destination, head: head, body: state.body)
        }
    }

    func receive(head: HTTPResponseHead) throws {
        state.withLock { $0.head = head }
    }

    func receive(body: UnsafeRawBufferPointer) throws {
        try state.withLock { state in
            let fitting = body.prefix(limit - state.body.count)
            guard fitting.count < body.count else { return state.body.append(contentsOf: body) }
            guard let head = state.head, !(200..<300).contains(head.status) else {
                throw HTTPTransportError.bodyTooLarge
            }
            state.body.append(contentsOf: fitting)
            state.hasEnough = true
            throw Enough()
        }
    }
}
