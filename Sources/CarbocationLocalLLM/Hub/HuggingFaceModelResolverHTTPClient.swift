public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends the resolver's requests.
///
/// Implementations must not send `Authorization` to an origin other than the request's, redirects included.
public protocol HuggingFaceModelResolverHTTPClient: Sendable {
    /// Sends a request and collects the whole answer.
    ///
    /// - Parameter request: What to send.
    /// - Returns: The body and head of the answer; an error status is a normal result.
    /// - Throws: What kept the answer from arriving, or `CancellationError`.
    func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse)
}
