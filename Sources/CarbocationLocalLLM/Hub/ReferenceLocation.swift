import Foundation

/// The part of a typed reference that follows the server: percent-encoded path components.
struct ReferenceLocation {
    enum Kind {
        /// `owner/repo/path`.
        case plainPath
        /// `hf://owner/repo@revision/path`.
        case fileSystemPath
        /// The address of a page or a download.
        case link
    }

    /// The word between repository and revision in a link.
    enum Route: String {
        case resolve, blob, raw, tree
    }

    let kind: Kind

    /// The components, none of them empty.
    let components: [Substring]

    /// Nil when the text points to a server other than the Hub and the endpoint, or has empty components.
    init?(_ text: String, endpoint: URL) {
        var rest = text[...]
        if let scheme = Self.takeScheme(&rest) {
            switch scheme {
            case "hf": kind = .fileSystemPath
            case "http", "https":
                kind = .link
                guard Self.takeAuthority(&rest, endpoint: endpoint) else { return nil }
            default: return nil
            }
        } else if rest.contains("/"), Self.takeAuthority(&rest, endpoint: endpoint) {
            kind = .link
        } else {
            kind = .plainPath
        }
        if kind == .link { rest = rest.prefix { $0 != "?" && $0 != "#" } }
        if rest.hasSuffix("/") { rest.removeLast() }
        components = rest.split(separator: "/", omittingEmptySubsequences: false)
        guard components.allSatisfy({ !$0.isEmpty }) else { return nil }
    }

    /// The route, which is told by its position alone: directly after the repository.
    func route(of components: [Substring]) -> Route? {
        switch kind {
        case .fileSystemPath: nil
        case .link: Route(rawValue: String(components[0]))
        // Without a server the word may as well be a folder, unless a revision and a path follow.
        case .plainPath: components.count >= 3 ? Route(rawValue: String(components[0])) : nil
        }
    }

    private static func takeScheme(_ text: inout Substring) -> String? {
        guard let mark = text.firstRange(of: "://") else { return nil }
        defer { text = text[mark.upperBound...] }
        return text[..<mark.lowerBound].lowercased()
    }

    /// Takes a server that is accepted, with the slash behind it.
    private static func takeAuthority(_ text: inout Substring, endpoint: URL) -> Bool {
        let authority = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.lowercased()
        guard accepted(endpoint: endpoint).contains(authority) else { return false }
        text = text.dropFirst(authority.count)
        if text.hasPrefix("/") { text.removeFirst() }
        return true
    }

    /// The accepted servers as they may be written, each with and without its port.
    private static func accepted(endpoint: URL) -> Set<String> {
        var hosts: Set = ["huggingface.co", "hf.co"]
        var authorities: Set<String> = []
        if var host = endpoint.host?.lowercased(), !host.isEmpty {
            if host.contains(":"), !host.hasPrefix("[") { host = "[\(host)]" }
            hosts.insert(host)
            if let port = endpoint.port { authorities.insert("\(host):\(port)") }
        }
        for host in hosts { authorities.formUnion([host, "\(host):443", "\(host):80"]) }
        return authorities
    }
}
