/// Takes the parts of one response as they come, checks them and hands them to the receiver.
///
/// Used by one thread at a time. After the first failure it takes nothing more.
final class ResponseReception {
    private let receiver: any HTTPResponseReceiver
    private let timeout: Duration
    private var checks: ResponseGuard
    private var parser = ResponseHeadParser()
    private var lastSign = ContinuousClock.now
    private var wasConnected = false

    /// What ended the reception early.
    private(set) var failure: (any Error)?

    init(_ request: HTTPRequest, receiver: any HTTPResponseReceiver) {
        self.receiver = receiver
        timeout = .seconds(request.boundedTimeout)
        checks = ResponseGuard(request)
    }

    /// Takes a line of the head; false if the exchange must end.
    func take(line: UnsafeRawBufferPointer) -> Bool {
        attempt {
            // Trailers come the same way as headers.
            guard !checks.hasHead, let head = try parser.push(line) else { return }
            try receive(head)
        }
    }

    /// Takes a whole head; false if the exchange must end.
    func take(head: HTTPResponseHead) -> Bool {
        attempt { try receive(head) }
    }

    /// Takes the next bytes of the decoded body; false if the exchange must end.
    func take(body: UnsafeRawBufferPointer) -> Bool {
        attempt {
            guard !body.isEmpty else { return }
            try checks.admit(bodyBytes: body.count)
            try receiver.receive(body: body)
        }
    }

    /// Whether all that was announced has come; throws what failed otherwise.
    func finish() throws {
        if let failure { throw failure }
        try checks.checkEnd()
    }

    /// How long the server may still stay silent.
    ///
    /// The time that the receiver takes does not count, and a connection that has come to stand is a sign of life.
    func patience(isConnected: Bool) -> Duration {
        if isConnected, !wasConnected {
            wasConnected = true
            lastSign = .now
        }
        return timeout - (ContinuousClock.now - lastSign)
    }

    private func receive(_ head: HTTPResponseHead) throws {
        checks.admit(head)
        try receiver.receive(head: head)
        try checks.checkAnnouncedLength()
    }

    private func attempt(_ body: () throws -> Void) -> Bool {
        guard failure == nil else { return false }
        do {
            try body()
            lastSign = .now
            return true
        } catch {
            failure = error
            return false
        }
    }
}
