import Foundation

/// Sends one reply.
struct ReplyWriter {
    private static let pieceSize: Int64 = 256 << 10

    let socket: Socket
    let stop: WakePipe
    let reply: ServerReply
    let isHead: Bool

    /// How the reply ended.
    enum Ending {
        case complete, cut, clientClosed
    }

    private var sentBody: Int64 = 0
    private let started = Date()

    init(socket: Socket, stop: WakePipe, reply: ServerReply, isHead: Bool) {
        self.socket = socket
        self.stop = stop
        self.reply = reply
        self.isHead = isHead
    }

    /// Sends the reply, with its waits, up to its end or the place where it is cut.
    mutating func write() -> (ending: Ending, bodyBytes: Int64) {
        if let gate = reply.gateBeforeHead, !pass(gate) { return (.clientClosed, 0) }
        if let cut = reply.cut, cut.offset < 0 { return ending(of: cut) }
        guard socket.send(head) else { return (.clientClosed, 0) }
        guard hasBody else { return (.complete, 0) }
        guard let stopped = writeBody() else {
            let ended = isChunked && !socket.send(Array("0\r\n\r\n".utf8)) ? Ending.clientClosed : .complete
            return (ended, sentBody)
        }
        return stopped
    }

    private var hasBody: Bool {
        !isHead && reply.status >= 200 && reply.status != 204 && reply.status != 304
    }

    private var isChunked: Bool {
        if case .chunked = reply.framing { return true }
        return false
    }

    private mutating func writeBody() -> (ending: Ending, bodyBytes: Int64)? {
        while true {
            for pause in reply.pauses where pause.offset == sentBody {
                guard pass(pause.gate) else { return (.clientClosed, sentBody) }
            }
            if let cut = reply.cut, cut.offset <= sentBody { return ending(of: cut) }
            guard sentBody < reply.body.count else { return nil }
            guard keepPace(), socket.send(framed(reply.body[sentBody..<nextStop])) else {
                return (.clientClosed, sentBody)
            }
            sentBody = nextStop
        }
    }

    /// Where the piece that begins at `sentBody` ends.
    private var nextStop: Int64 {
        var size = Self.pieceSize
        if case .chunked(let chunk) = reply.framing { size = max(1, chunk) }
        if let rate = reply.bytesPerSecond { size = min(size, max(1, rate / 20)) }
        let stops = reply.pauses.map(\.offset) + [reply.cut?.offset, reply.body.count].compactMap { $0 }
        return stops.filter { $0 > sentBody }.reduce(sentBody + size, min)
    }

    private func framed(_ piece: [UInt8]) -> [UInt8] {
        guard isChunked else { return piece }
        return Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
    }

    private func pass(_ gate: ServerGate) -> Bool {
        gate.noteArrival()
        return socket.wait(for: [gate.pipe, stop]) == .woken(0)
    }

    /// Waits until the reply's speed allows the next piece; false when the client went away meanwhile.
    private func keepPace() -> Bool {
        guard let rate = reply.bytesPerSecond else { return true }
        let due = Double(sentBody) / Double(max(1, rate)) - Date().timeIntervalSince(started)
        guard due > 0 else { return true }
        return socket.wait(for: [stop], milliseconds: Int32(min(due * 1000, 60_000))) == .timedOut
    }

    private func ending(of cut: ServerReply.Cut) -> (ending: Ending, bodyBytes: Int64) {
        if cut.isReset { socket.resetOnClose() }
        return (.cut, sentBody)
    }

    private var head: [UInt8] {
        var text = reply.interimHeads.map { Self.head(status: $0.status, headers: $0.headers) }.joined()
        if let raw = reply.rawHead { return Array(text.utf8) + raw }
        var headers = reply.headers
        switch reply.framing {
        case .contentLength where hasBody || isHead:
            if reply[header: "Content-Length"] == nil {
                headers.append(ServerHeader("Content-Length", "\(reply.body.count)"))
            }
        case .declaredLength(let length): headers.append(ServerHeader("Content-Length", "\(length)"))
        case .chunked: headers.append(ServerHeader("Transfer-Encoding", "chunked"))
        case .connectionClose: headers.append(ServerHeader("Connection", "close"))
        case .contentLength: break
        }
        text += Self.head(status: reply.status, headers: headers)
        return Array(text.utf8)
    }

    private static func head(status: Int, headers: [ServerHeader]) -> String {
        "HTTP/1.1 \(status) \(reason(for: status))\r\n"
            + headers.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
    }

    private static func reason(for status: Int) -> String {
        switch status {
        case 200: "OK"
        case 206: "Partial Content"
        case 302: "Found"
        case 404: "Not Found"
        case 416: "Range Not Satisfiable"
        default: "Status"
        }
    }
}
