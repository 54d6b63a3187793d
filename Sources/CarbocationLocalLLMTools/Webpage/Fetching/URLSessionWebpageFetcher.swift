package import CarbocationLocalLLM

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Loads pages from the internet, and from nowhere else.
///
/// Each address is checked before it is asked, the first one and those of redirects: its scheme, its port, and each of the
/// addresses that its host's name leads to. The name is looked up once for each request, and only the addresses that were
/// checked are connected to; on Apple platforms, where the system connects, an answer from any other private address is
/// thrown away. Requests are plain GETs without cookies, credentials, caches or proxies. On Apple platforms they go through
/// URLSession, on Linux through libcurl.
public final class URLSessionWebpageFetcher: LLMWebpageFetching {
    private let transport: any HTTPTransport
    private let resolver: any HostResolving

    /// Makes a fetcher.
    public init() {
        transport = HTTPTransports.platformDefault
        resolver = SystemHostResolver()
    }

    package init(transport: any HTTPTransport = HTTPTransports.platformDefault, resolver: any HostResolving) {
        self.transport = transport
        self.resolver = resolver
    }

    /// What requests say of the client.
    static let headers = [
        ("User-Agent", "Mozilla/5.0 (compatible; CarbocationLocalLLM)"),
        ("Accept", "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.1"),
    ]

    /// Loads a page, with all its redirects.
    ///
    /// - Parameters:
    ///   - request: The address to load; of its headers only `Accept`, `Accept-Language` and `User-Agent` are sent.
    ///   - configuration: The limits. The timeout is that of the whole, redirects included.
    /// - Returns: The last response. Its body is empty if the status or the type says that it is of no use.
    /// - Throws: `CancellationError`, or an error with the code and the message for the model.
    public func fetch(
        _ request: URLRequest, configuration: LLMLoadWebpageTool.Configuration
    ) async throws -> LLMWebpageFetchResponse {
        let address = try WebAddress(request.url?.absoluteString ?? "")
        let headers = Self.headers(of: request)
        let timeout = configuration.timeout
        let response = try await Cancellable.value(within: .seconds(timeout), clock: ContinuousClock()) { [self] in
            try await follow(address, headers, configuration)
        }
        guard let response else { throw ToolFailure.tooSlow(timeout) }
        return response
    }

    private func follow(
        _ first: WebAddress, _ headers: HTTPHeaders, _ configuration: LLMLoadWebpageTool.Configuration
    ) async throws -> LLMWebpageFetchResponse {
        var address = first
        var redirects = 0
        while true {
            let page = try await ask(address, headers, configuration)
            guard let head = page.head, [301, 302, 303, 307, 308].contains(head.status),
                let location = head.headers["Location"]
            else { return page.response(from: address) }
            guard redirects < configuration.maximumRedirects else {
                throw ToolFailure(
                    code: "webpage_load_failed",
                    "The page redirects more than \(configuration.maximumRedirects) times. Try another address.")
            }
            redirects += 1
            address = try address.redirected(to: location)
        }
    }

    /// One request to one address, which is checked first.
    private func ask(
        _ address: WebAddress, _ headers: HTTPHeaders, _ configuration: LLMLoadWebpageTool.Configuration
    ) async throws -> PageReceiver {
        try configuration.check(address)
        let peers: [IPAddress]
        switch address.host {
        case .address(let peer): peers = [peer]
        case .name(let name): peers = await resolver.addresses(of: name)
        }
        try Task.checkCancellation()
        try configuration.check(peers, of: address.host)
        let page = PageReceiver(maximumBytes: configuration.maximumBytes)
        let request = HTTPRequest(
            url: address.url, headers: headers, timeout: configuration.timeout, acceptsCompression: true,
            maximumBodyBytes: .max,
            route: HTTPRoute(addresses: peers, allowsPrivateAddresses: configuration.allowsPrivateAddresses))
        do {
            try await transport.perform(request, receiver: page)
        } catch HTTPTransportError.forbiddenPeer {
            throw LLMLoadWebpageTool.Configuration.blocked(address.host)
        } catch  where page.hasEnough && !(error is CancellationError) {
            return page
        }
        return page
    }

    private static func headers(of request: URLRequest) -> HTTPHeaders {
        var headers: HTTPHeaders = [:]
        for (name, value) in Self.headers { headers[name] = request.value(forHTTPHeaderField: name) ?? value }
        headers["Accept-Language"] = request.value(forHTTPHeaderField: "Accept-Language")
        return headers
    }
}
