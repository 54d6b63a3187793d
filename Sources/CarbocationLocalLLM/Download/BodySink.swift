import Foundation

/// Writes the body of one response to its place in the file, in pieces that are large enough to be quick.
// `@unchecked` because the mutable state is touched by one thread at a time: the transport's during the exchange, and
// after it the task that waited for its end.
final class BodySink: HTTPResponseReceiver, @unchecked Sendable {
    /// Where the body goes.
    struct Window: Sendable, Equatable {
        var start: Int64
        /// What lies behind is not wanted; nil for no limit.
        var end: Int64?
    }

    private let place: (HTTPResponseHead) throws -> Window?
    private let site: TransferSite
    private let onWrite: (_ buffer: BodyBuffer, _ range: Range<Int64>) -> Void
    private var window: Window?
    private var buffer: BodyBuffer?

    /// Up to where the file is written; nil before the head.
    private(set) var cursor: Int64?

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - site: The file to write to.
    ///   - place: Decides by the head where the body goes; nil when it is not wanted at all.
    ///   - onWrite: Is told what has been written, and where.
    init(
        site: TransferSite, place: @escaping (HTTPResponseHead) throws -> Window?,
        onWrite: @escaping (BodyBuffer, Range<Int64>) -> Void
    ) {
        self.site = site
        self.place = place
        self.onWrite = onWrite
    }

    func receive(head: HTTPResponseHead) throws {
        window = try place(head)
        guard let window else { throw EnoughReceived() }
        cursor = window.start
    }

    func receive(body: UnsafeRawBufferPointer) throws {
        guard let window, let cursor else { return }
        let position = cursor + Int64(buffer?.bytes.count ?? 0)
        let room = window.end.map { max($0 - position, 0) } ?? Int64(body.count)
        let bytes = UnsafeRawBufferPointer(rebasing: body.prefix(Int(min(room, Int64(body.count)))))
        try MagicCheck.check(bytes, at: position)
        try take(bytes)
        if bytes.count < body.count { throw EnoughReceived() }
    }

    /// Writes what is still in memory.
    ///
    /// To be called once the exchange has ended.
    func finish() throws {
        guard let buffer = buffer.take(), let start = cursor else { return }
        let end = start + Int64(buffer.bytes.count)
        try site.write(buffer, at: start)
        cursor = end
        onWrite(buffer, start..<end)
    }

    private func take(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while !rest.isEmpty {
            let buffer = buffer ?? BodyBuffer(from: site.buffers)
            self.buffer = buffer
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(buffer.append(rest)))
            if buffer.isFull { try finish() }
        }
    }
}

/// Ends an exchange of which everything that is wanted has arrived.
struct EnoughReceived: Error {}

extension HTTPClient {
    /// Sends a request until it is answered or the sink has had enough.
    ///
    /// What arrived before a failure is written as well; nothing is written after this has returned or thrown.
    func fetch(
        _ request: HTTPRequest, into sink: BodySink, onRedirect: @Sendable (HTTPRedirect) throws -> Void = { _ in }
    ) async throws {
        do {
            try await perform(request, receiver: sink, onRedirect: onRedirect)
        } catch is EnoughReceived {
        } catch let failure as FileSystemFailure {
            throw failure
        } catch {
            try sink.finish()
            throw error
        }
        try sink.finish()
    }
}
