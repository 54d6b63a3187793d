import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers each request from memory and remembers what it was asked.
final class FixtureFetcher: LLMWebpageFetching {
    private let requested = Locked<[URLRequest]>([])
    private let answer: @Sendable (URLRequest) async throws -> LLMWebpageFetchResponse

    init(_ answer: @escaping @Sendable (URLRequest) async throws -> LLMWebpageFetchResponse) {
        self.answer = answer
    }

    /// Answers with a body.
    convenience init(_ body: some Sequence<UInt8>, type: String? = "text/html", status: Int? = 200) {
        let data = Data(body)
        self.init { request in
            LLMWebpageFetchResponse(data: data, finalURL: request.url, statusCode: status, contentType: type)
        }
    }

    /// Answers with a page.
    convenience init(html: String) {
        self.init(html.utf8, type: "text/html; charset=utf-8")
    }

    /// What was asked.
    var requests: [URLRequest] { requested.withLock { $0 } }

    /// The addresses that were asked.
    var addresses: [String] { requests.compactMap(\.url?.absoluteString) }

    func fetch(
        _ request: URLRequest, configuration: LLMLoadWebpageTool.Configuration
    ) async throws -> LLMWebpageFetchResponse {
        requested.withLock { $0.append(request) }
        return try await answer(request)
    }
}

/// Loads a page, by its address alone.
func load(
    _ url: String, configuration: LLMLoadWebpageTool.Configuration = .init(), fetcher: any LLMWebpageFetching
) async throws -> LLMJSONValue {
    try await LLMLoadWebpageTool.load(
        arguments: ["url": .string(url)], configuration: configuration, fetcher: fetcher)
}

extension LLMJSONValue {
    /// The code of a failure; nil for a result.
    var failureCode: String? { self["error"]?.string(forKey: "code") }

    /// The message of a failure.
    var failureMessage: String { self["error"]?.string(forKey: "message") ?? "" }

    /// The text of a page.
    var pageText: String? { string(forKey: "text") }

    /// Whether a page is only part of what there is.
    var isTruncated: Bool? { self["truncated"]?.boolValue }

    /// How many bytes of a page were read.
    var bytesRead: Double? { self["bytes_read"]?.doubleValue }

    private subscript(key: String) -> LLMJSONValue? { objectValue?[key] }
}
