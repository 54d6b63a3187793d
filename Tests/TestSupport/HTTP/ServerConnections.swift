import CarbocationLocalLLM
import Foundation

/// Accepts connections and gives each of them a thread.
final class ServerConnections: Sendable {
    private struct State {
        var accepted = 0
        var isStopped = false
        var open: [Int: Socket] = [:]
    }

    private let site: ServerSite
    private let stopping: WakePipe
    private let ended = DispatchSemaphore(value: 0)
    private let state = Locked(State())

    init(site: ServerSite) throws {
        self.site = site
        stopping = try WakePipe()
    }

    var accepted: Int {
        state.withLock { $0.accepted }
    }

    /// Accepts connections from now on, until it is stopped.
    func start(_ listener: Socket) {
        Thread.detachNewThread {
            self.acceptAll(listener)
            // Refuses connections from here on, whoever still holds the listener.
            listener.shutDown()
            self.ended.signal()
        }
    }

    /// Ends all connections; when this returns, new ones are refused.
    func stop() {
        let (wasStopped, open) = state.withLock { state in
            defer { state.isStopped = true }
            return (state.isStopped, Array(state.open.values))
        }
        guard !wasStopped else { return }
        stopping.wake()
        for socket in open { socket.shutDown() }
        ended.wait()
    }

    private func acceptAll(_ listener: Socket) {
        while listener.waitUntilReadable(unless: stopping), let socket = listener.acceptConnection() {
            guard let number = enter(socket) else { return }
            Thread.detachNewThread {
                self.serve(socket, number: number)
                self.state.withLock { $0.open[number] = nil }
            }
        }
    }

    private func enter(_ socket: Socket) -> Int? {
        state.withLock { state in
            guard !state.isStopped else { return nil }
            state.accepted += 1
            state.open[state.accepted] = socket
            return state.accepted
        }
    }

    private func serve(_ socket: Socket, number: Int) {
        var reader = RequestReader(socket: socket)
        while let request = reader.next(port: site.port, connection: number) {
            let exchange = site.log.begin(request)
            let reply = site.reply(to: request)
            var writer = ReplyWriter(
                socket: socket, stop: stopping, reply: reply, isHead: request.method == "HEAD")
            let (ending, bodyBytes) = writer.write()
            let endsConnection = reply.framing == .connectionClose || !reply.keepsConnection
            exchange.end(ServerExchange.Outcome(ending, bodyBytes: bodyBytes))
            guard ending == .complete, !endsConnection else { return }
        }
    }
}

extension ServerExchange.Outcome {
    fileprivate init(_ ending: ReplyWriter.Ending, bodyBytes: Int64) {
        switch ending {
        case .complete: self = .sent(bodyBytes)
        case .cut: self = .cut(bodyBytes)
        case .clientClosed: self = .clientClosed(bodyBytes)
        }
    }
}
