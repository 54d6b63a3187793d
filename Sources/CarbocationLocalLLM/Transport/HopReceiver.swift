import Foundation

/// Keeps a redirect to itself and passes any other response on.
final class HopReceiver: HTTPResponseReceiver {
    /// The most bytes of a redirect's body that are read to keep the connection.
    private static let patience = 64 << 10

    private struct State {
        var redirect: HTTPResponseHead?
        var discarded = 0
    }

    private struct BodyNotWanted: Error {}

    private let receiver: any HTTPResponseReceiver
    private let state = Locked(State())

    init(_ receiver: any HTTPResponseReceiver) {
        self.receiver = receiver
    }

    /// The head of the response, if it is a redirect.
    var redirect: HTTPResponseHead? {
        state.withLock { $0.redirect }
    }

    func receive(head: HTTPResponseHead) throws {
        guard RedirectChain.location(in: head) == nil else {
            state.withLock { $0.redirect = head }
            return
        }
        try receiver.receive(head: head)
    }

    func receive(body: UnsafeRawBufferPointer) throws {
        let isMine = try state.withLock { state in
            guard state.redirect != nil else { return false }
            state.discarded += body.count
            if state.discarded > Self.patience { throw BodyNotWanted() }
            return true
        }
        if !isMine { try receiver.receive(body: body) }
    }
}
