package import CarbocationLocalLLM

/// Looks the addresses of hosts up.
package protocol HostResolving: Sendable {
    /// The addresses that a name leads to, which are none if it cannot be found.
    ///
    /// - Parameter host: A name in ASCII.
    /// - Returns: The addresses, each once, the preferred ones first.
    func addresses(of host: String) async -> [IPAddress]
}
