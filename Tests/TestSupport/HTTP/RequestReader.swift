/// Reads the requests of one connection.
struct RequestReader {
    private static let headLimit = 1 << 20

    private let socket: Socket
    private var received: [UInt8] = []

    init(socket: Socket) {
        self.socket = socket
    }

    /// The next request, or nil when the client has closed or sent no HTTP.
    mutating func next(port: UInt16, connection: Int) -> ServerRequest? {
        guard let head = nextHead() else { return nil }
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: true).map(String.init)
        guard let first = lines.first?.split(separator: " ").map(String.init), first.count == 3 else { return nil }
        lines.removeFirst()
        let headers = lines.map { line in
            let name = line.prefix { $0 != ":" }
            return ServerHeader(String(name), line.dropFirst(name.count + 1).trimmingSpaces)
        }
        let length = headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
        guard let body = take(length) else { return nil }
        return ServerRequest(
            method: first[0], target: first[1], headers: headers, body: body, port: port, connection: connection)
    }

    private mutating func nextHead() -> String? {
        let end = Array("\r\n\r\n".utf8)
        var searched = 0
        while true {
            if let range = received[searched...].firstRange(of: end) {
                defer { received.removeSubrange(..<range.upperBound) }
                return String(decoding: received[..<range.lowerBound], as: UTF8.self)
            }
            // Whoever begins with anything but a method, such as TLS, would never come to the end of a head.
            if let first = received.first, !(0x41...0x5A).contains(first) { return nil }
            searched = max(0, received.count - 3)
            guard received.count < Self.headLimit, fill() else { return nil }
        }
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
        while received.count < count {
            guard fill() else { return nil }
        }
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    private mutating func fill() -> Bool {
        let more = socket.receive(limit: 16 << 10)
        received += more
        return !more.isEmpty
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
