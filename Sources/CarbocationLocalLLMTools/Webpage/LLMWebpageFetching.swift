#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Loads pages for the tool `load_webpage`.
///
/// ``URLSessionWebpageFetcher`` is what asks the network. Fetchers of your own can serve fixtures, or keep a list of sites:
///
/// ```swift
/// struct Fixture: LLMWebpageFetching {
///     func fetch(
///         _ request: URLRequest, configuration: LLMLoadWebpageTool.Configuration
///     ) async throws -> LLMWebpageFetchResponse {
///         LLMWebpageFetchResponse(data: Data("<title>Hi</title>".utf8), finalURL: request.url, contentType: "text/html")
///     }
/// }
/// ```
public protocol LLMWebpageFetching: Sendable {
    /// Loads a page, with all its redirects.
    ///
    /// The tool has checked the address of the request, but not the addresses that its host's name leads to, nor any
    /// redirect; whoever asks a network must do that. The tool cancels a fetch that takes longer than the configuration's
    /// timeout.
    ///
    /// - Parameters:
    ///   - request: A GET request for an http or https address.
    ///   - configuration: The limits of the fetch.
    /// - Returns: The last response. A status that tells of an error is a normal result.
    /// - Throws: Any error; its description becomes the message that the model gets.
    func fetch(
        _ request: URLRequest, configuration: LLMLoadWebpageTool.Configuration
    ) async throws -> LLMWebpageFetchResponse
}
