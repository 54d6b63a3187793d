public import Foundation

/// What a fetcher loaded.
public struct LLMWebpageFetchResponse: Sendable {
    /// The body, decompressed.
    public var data: Data

    /// The address that answered, after all redirects; nil if it is the one that was asked.
    public var finalURL: URL?

    /// The status; nil if there is none, which counts as success.
    public var statusCode: Int?

    /// The value of the header `Content-Type`; nil to have the type guessed from the data.
    public var contentType: String?

    /// Whether the page has more bytes than the data.
    public var truncated: Bool

    /// Makes a response.
    public init(
        data: Data, finalURL: URL?, statusCode: Int? = nil, contentType: String? = nil, truncated: Bool = false
    ) {
        self.data = data
        self.finalURL = finalURL
        self.statusCode = statusCode
        self.contentType = contentType
        self.truncated = truncated
    }
}
