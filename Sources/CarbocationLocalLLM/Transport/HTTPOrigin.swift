package import Foundation

/// Scheme, host and port: what a credential is given to.
package struct HTTPOrigin: Sendable, Hashable {
    package let scheme: String
    package let host: String
    package let port: Int

    /// The origin of an http or https address, nil for any other.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host(percentEncoded: false)?.lowercased(), !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Whether what is sent cannot be read on the way.
    package var isEncrypted: Bool { scheme == "https" }

    /// Whether the host is this machine itself, by name or by address.
    package var isLoopback: Bool {
        let host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
