/// The way of a request straight to addresses that somebody has checked, past names and proxies.
///
/// No connection is shared with requests that go another way.
package struct HTTPRoute: Sendable, Hashable {
    /// The addresses that the host's name led to when it was checked.
    ///
    /// Where the transport can choose, it connects to no others.
    package var addresses: [IPAddress]

    /// Whether a peer that is none of the addresses may be one of a private network.
    ///
    /// Matters where the system looks the name up again, and then only for the answer: it is kept from the receiver's
    /// owner by an error.
    package var allowsPrivateAddresses: Bool

    package init(addresses: [IPAddress], allowsPrivateAddresses: Bool = false) {
        self.addresses = addresses
        self.allowsPrivateAddresses = allowsPrivateAddresses
    }

    /// Whether an answer of a peer may be used.
    func admits(_ peer: IPAddress) -> Bool {
        addresses.contains(peer) || allowsPrivateAddresses || peer.isPublic
    }
}
