/// A port of 127.0.0.1 that nobody is given and nobody listens on, for as long as this lives.
///
/// Connections to it are refused. Only a program that is told the port, and asks for it with `SO_REUSEADDR` as servers
/// do, can listen on it.
package final class ReservedPort: Sendable {
    package let number: UInt16
    private let peer: Socket
    // The port is that of one end of a connection. A socket that is only bound would hold it too, but macOS ignores
    // connections to such a one instead of refusing them.
    private let holder: Socket

    package init() throws {
        peer = try Socket.listening(on: 0)
        holder = try Socket.connected(fromSharedPortTo: peer.port)
        number = try holder.port
    }
}
