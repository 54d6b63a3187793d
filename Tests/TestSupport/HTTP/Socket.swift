#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A TCP socket on 127.0.0.1.
final class Socket: Sendable {
    private let descriptor: Descriptor

    private init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    /// Listens on a port, 0 for one that nobody has.
    static func listening(on port: UInt16) throws -> Socket {
        let listener = try bound(to: port)
        try Descriptor.check(listen(listener.number, 128), "listen")
        return listener
    }

    /// A connection to a port.
    static func connected(to port: UInt16) throws -> Socket {
        let connection = try stream()
        try connection.connect(to: port)
        return connection
    }

    /// A connection to a port from one that nobody had, which others may listen on if they ask for that very port.
    static func connected(fromSharedPortTo port: UInt16) throws -> Socket {
        let connection = try bound(to: 0)
        connection.set(SO_REUSEADDR, 1)
        try connection.connect(to: port)
        return connection
    }

    private static func bound(to port: UInt16) throws -> Socket {
        let socket = try stream()
        // Where the system chooses, the option could make it choose a port that somebody has.
        if port != 0 { socket.set(SO_REUSEADDR, 1) }
        try Descriptor.check(withAddress(of: port) { bind(socket.number, $0, $1) }, "bind")
        return socket
    }

    private func connect(to port: UInt16) throws {
        try Descriptor.check(Self.withAddress(of: port) { systemConnect(number, $0, $1) }, "connect")
    }

    private static func stream() throws -> Socket {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        return Socket(Descriptor(try Descriptor.check(socket(AF_INET, stream, 0), "socket")))
    }

    private static func withAddress(of port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
    }

    private var number: Int32 { descriptor.number }

    /// The port that the socket is bound to.
    var port: UInt16 {
        get throws {
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &size) }
            }
            try Descriptor.check(result, "getsockname")
            return UInt16(bigEndian: address.sin_port)
        }
    }

    /// The next connection, or nil when there will be none.
    func acceptConnection() -> Socket? {
        let accepted = accept(number, nil, nil)
        guard accepted >= 0 else { return nil }
        let connection = Socket(Descriptor(accepted))
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        var on: Int32 = 1
        _ = setsockopt(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
            connection.set(SO_NOSIGPIPE, 1)
        #endif
        return connection
    }

    /// Up to `limit` bytes; none once the peer has closed or the connection broke.
    func receive(limit: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var received = -1
            repeat { received = recv(number, buffer.baseAddress, limit, 0) } while received == -1 && errno == EINTR
            count = max(received, 0)
        }
    }

    /// Sends all bytes; false once the peer has closed or the connection broke.
    func send(_ bytes: [UInt8]) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        return bytes.withUnsafeBytes { buffer in
            var position = 0
            while position < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[position...])
                let sent = systemSend(number, rest.baseAddress, rest.count, flags)
                if sent < 0, errno == EINTR { continue }
                guard sent > 0 else { return false }
                position += sent
            }
            return true
        }
    }

    /// Ends both directions, which wakes every thread that is using the socket.
    func shutDown() {
        _ = shutdown(number, Int32(SHUT_RDWR))
    }

    /// Makes closing the socket send a reset instead of an orderly end.
    func resetOnClose() {
        var setting = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(number, SOL_SOCKET, SO_LINGER, &setting, socklen_t(MemoryLayout<linger>.size))
    }

    /// Waits until one of the pipes is woken, the time is over or the peer has gone.
    func wait(for pipes: [WakePipe], milliseconds: Int32 = -1) -> Awakening {
        var watched = [pollfd(fd: number, events: Int16(POLLIN), revents: 0)]
        watched += pipes.map { pollfd(fd: $0.readEnd.number, events: Int16(POLLIN), revents: 0) }
        while true {
            let ready = poll(&watched, nfds_t(watched.count), milliseconds)
            if ready == -1, errno == EINTR { continue }
            if ready <= 0 { return .timedOut }
            if let index = watched.dropFirst().firstIndex(where: { $0.revents != 0 }) { return .woken(index - 1) }
            var byte: UInt8 = 0
            if recv(number, &byte, 1, Int32(MSG_PEEK)) <= 0 { return .peerClosed }
            // A pipelined request keeps the socket readable; from now on only its end is of interest.
            watched[0].events = 0
        }
    }

    /// Waits until there is something to accept or to receive; false if the pipe was woken first.
    func waitUntilReadable(unless pipe: WakePipe) -> Bool {
        var watched = [number, pipe.readEnd.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&watched, 2, -1) == -1, errno == EINTR {}
        return watched[1].revents == 0
    }

    /// Whether there is something to accept or to receive now.
    var isReadable: Bool {
        var watched = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, 0) > 0
    }

    /// What ended a wait.
    enum Awakening: Equatable {
        case woken(Int), timedOut, peerClosed
    }

    private func set(_ option: Int32, _ value: Int32) {
        var value = value
        _ = setsockopt(number, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}

private func systemConnect(_ number: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    connect(number, address, size)
}

private func systemSend(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    #if canImport(Glibc)
        Glibc.send(number, bytes, count, flags)
    #elseif canImport(Musl)
        Musl.send(number, bytes, count, flags)
    #else
        Darwin.send(number, bytes, count, flags)
    #endif
}
