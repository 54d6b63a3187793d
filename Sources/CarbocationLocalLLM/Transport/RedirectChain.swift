import Foundation

/// Decides what to ask next after each redirect.
struct RedirectChain {
    /// What to ask now.
    private(set) var request: HTTPRequest

    /// The responses so far that sent the request on, with the addresses that gave them.
    private(set) var redirects: [HTTPRedirect] = []

    private let limit: Int
    private let home: HTTPOrigin?
    private var hasLeftHome = false
    private var wasEncrypted: Bool
    private var visited: Set<Visit>

    private struct Visit: Hashable {
        let url: String
        let hasLeftHome: Bool
    }

    init(_ request: HTTPRequest, limit: Int) {
        self.request = request
        self.limit = limit
        home = HTTPOrigin(request.url)
        wasEncrypted = home?.isEncrypted ?? false
        visited = [Visit(url: request.url.absoluteString, hasLeftHome: false)]
    }

    /// Where a response sends the client, if it does.
    static func location(in head: HTTPResponseHead) -> String? {
        [301, 302, 303, 307, 308].contains(head.status) ? head.headers["Location"] : nil
    }

    /// Makes the target of a redirect what to ask next.
    mutating func follow(_ redirect: HTTPRedirect, to location: String) throws(HTTPRedirectError) {
        guard redirects.count < limit else { throw .tooMany(limit: limit) }
        let (target, origin) = try resolve(location)
        redirects.append(redirect)
        request.url = target
        let status = redirect.head.status
        if request.method != "HEAD", status == 303 || (status < 303 && request.method == "POST") {
            request.method = "GET"
        }
        if origin != home { leaveHome() }
        wasEncrypted = origin.isEncrypted
        guard visited.insert(Visit(url: target.absoluteString, hasLeftHome: hasLeftHome)).inserted else {
            throw .loop(target.absoluteString)
        }
    }

    private func resolve(_ location: String) throws(HTTPRedirectError) -> (URL, HTTPOrigin) {
        let text = location.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty, let target = URL(string: text, relativeTo: request.url)?.absoluteURL else {
            throw .invalidLocation
        }
        let scheme = target.scheme?.lowercased() ?? ""
        guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme(scheme) }
        guard let origin = HTTPOrigin(target), target.user(percentEncoded: true) == nil,
            target.password(percentEncoded: true) == nil
        else { throw .invalidLocation }
        guard origin.isEncrypted || !wasEncrypted else { throw .insecure(target.absoluteString) }
        return (target, origin)
    }

    /// Whoever the chain has been handed to may not send the credentials anywhere, not even back.
    private mutating func leaveHome() {
        hasLeftHome = true
        for name in ["Authorization", "Proxy-Authorization", "Cookie"] { request.headers[name] = nil }
    }
}
