import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers every request for a page with the same one, or never.
final class FakeWebpageFetcher: LLMWebpageFetching {
    private let html: String?
    private let started: AsyncStream<Void>.Continuation?
    private let received = Locked<[LLMLoadWebpageTool.Configuration]>([])

    init(html: String) {
        self.html = html
        started = nil
    }

    /// - Parameter started: Told when a request has come, which is then not answered.
    init(stalling started: AsyncStream<Void>.Continuation) {
        html = nil
        self.started = started
    }

    /// What each request was allowed.
    var configurations: [LLMLoadWebpageTool.Configuration] { received.withLock(\.self) }

    func fetch(
        _ request: URLRequest, configuration: LLMLoadWebpageTool.Configuration
    ) async throws -> LLMWebpageFetchResponse {
        received.withLock { $0.append(configuration) }
        guard let html else {
            started?.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw CancellationError()
        }
        return LLMWebpageFetchResponse(
            data: Data(html.utf8), finalURL: request.url, statusCode: 200, contentType: "text/html")
    }
}
