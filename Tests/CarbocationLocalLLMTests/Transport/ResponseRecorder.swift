import CarbocationLocalLLM
import Foundation

/// A receiver that keeps what it gets, or throws at a chosen place.
final class ResponseRecorder: HTTPResponseReceiver {
    struct Stop: Error, Equatable {}

    struct Recording {
        var heads: [HTTPResponseHead] = []
        var bodyStartedBeforeHead = false
        var body: [UInt8] = []
        var pieces = 0
    }

    private let recording = Locked(Recording())
    private let onHead: @Sendable (HTTPResponseHead) throws -> Void
    private let onBody: @Sendable (Int) throws -> Void

    /// Makes a recorder; the functions are called after each part is recorded, with all bytes so far.
    init(
        onHead: @escaping @Sendable (HTTPResponseHead) throws -> Void = { _ in },
        onBody: @escaping @Sendable (Int) throws -> Void = { _ in }
    ) {
        self.onHead = onHead
        self.onBody = onBody
    }

    var heads: [HTTPResponseHead] { recording.withLock { $0.heads } }
    var head: HTTPResponseHead? { heads.first }
    var body: [UInt8] { recording.withLock { $0.body } }
    var text: String { String(decoding: body, as: UTF8.self) }
    var pieces: Int { recording.withLock { $0.pieces } }
    var bodyStartedBeforeHead: Bool { recording.withLock { $0.bodyStartedBeforeHead } }

    func receive(head: HTTPResponseHead) throws {
        recording.withLock { $0.heads.append(head) }
        try onHead(head)
    }

    func receive(body: UnsafeRawBufferPointer) throws {
        let count = recording.withLock { recording in
            if recording.heads.isEmpty { recording.bodyStartedBeforeHead = true }
            recording.body.append(contentsOf: body)
            recording.pieces += 1
            return recording.body.count
        }
        try onBody(count)
    }
}

extension HTTPTransport {
    /// Sends a request and gives what was received, or throws what the transport threw.
    func record(_ request: HTTPRequest) async throws -> ResponseRecorder {
        let recorder = ResponseRecorder()
        try await perform(request, receiver: recorder)
        return recorder
    }
}
