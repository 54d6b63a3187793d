package import Foundation

/// Follows redirects over any transport.
///
/// At most ten, to http and https only, and never from https to http. Credentials stay with the origin that the request
/// was made for: they go along while scheme, host and port stay the same, and once the chain has been anywhere else
/// they are gone for all that follows.
package struct HTTPClient: Sendable {
    private let transport: any HTTPTransport
    private let maximumRedirects: Int

    package init(transport: any HTTPTransport = HTTPTransports.platformDefault, maximumRedirects: Int = 10) {
        self.transport = transport
        self.maximumRedirects = maximumRedirects
    }

    /// Sends a request and hands the response that is no redirect to `receiver`.
    ///
    /// - Parameters:
    ///   - request: What to send first.
    ///   - receiver: Gets the last head and its body, called as `HTTPTransport` says.
    ///   - onRedirect: Gets each redirect before it is followed. What it throws ends the exchange.
    /// - Returns: The address that answered, and the redirects that led there.
    /// - Throws: `HTTPTransportError`, `HTTPRedirectError`, `CancellationError`, or what `receiver` or `onRedirect`
    ///   threw. A status that tells of an error is a normal result.
    @discardableResult
    package func perform(
        _ request: HTTPRequest, receiver: any HTTPResponseReceiver,
        onRedirect: @Sendable (HTTPRedirect) throws -> Void = { _ in }
    ) async throws -> HTTPDestination {
        let (destination, failure) = try await follow(request, receiver, onRedirect)
        if let failure { throw failure }
        return destination
    }

    /// Sends a request and collects the body.
    ///
    /// - Parameters:
    ///   - request: What to send first.
    ///   - limit: The most bytes of a good answer's body. The body of any other status is cut there instead.
    /// - Returns: The response that is no redirect.
    /// - Throws: As `perform`; a good answer that is too large gives `HTTPTransportError.bodyTooLarge`.
    package func data(for request: HTTPRequest, limit: Int) async throws -> HTTPResponse {
        let collector = BodyCollector(limit: limit)
        let (destination, failure) = try await follow(request, collector) { _ in }
        if let failure, !collector.hasEnough { throw failure }
        return try collector.response(from: destination)
    }

    /// The last address, and how the exchange with it failed.
    private func follow(
        _ request: HTTPRequest, _ receiver: any HTTPResponseReceiver, _ onRedirect: (HTTPRedirect) throws -> Void
    ) async throws -> (HTTPDestination, failure: (any Error)?) {
        var chain = RedirectChain(request, limit: maximumRedirects)
        while true {
            let hop = HopReceiver(receiver)
            var failure: (any Error)?
            do {
                try await transport.perform(chain.request, receiver: hop)
            } catch {
                failure = error
            }
            // A redirect is all there is to know: its body may be as long and as broken as it likes.
            guard let head = hop.redirect, let location = RedirectChain.location(in: head),
                !(failure is CancellationError)
            else { return (HTTPDestination(url: chain.request.url, redirects: chain.redirects), failure) }
            let redirect = HTTPRedirect(url: chain.request.url, head: head)
            try chain.follow(redirect, to: location)
            try onRedirect(redirect)
        }
    }
}

/// Where a response came from in the end.
package struct HTTPDestination: Sendable, Hashable {
    /// The address that answered.
    package let url: URL

    /// The redirects that led there.
    package let redirects: [HTTPRedirect]
}

/// A whole response.
package struct HTTPResponse: Sendable, Hashable {
    /// Where it came from.
    package let destination: HTTPDestination

    package let head: HTTPResponseHead

    package let body: Data
}
