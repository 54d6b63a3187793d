import CarbocationLocalLLM
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One call of the tool, from the checked address to the output.
struct WebpageVisit: Sendable {
    let address: WebAddress
    let configuration: LLMLoadWebpageTool.Configuration
    let fetcher: any LLMWebpageFetching

    /// The longest reason of a fetcher that is passed on.
    private static let maximumReasonLength = 300

    /// The output for a page that can be read.
    ///
    /// - Throws: Why it cannot. When the task was cancelled, the failure means nothing.
    func output() async throws(ToolFailure) -> LLMJSONValue {
        var response = try await fetch()
        let final = try finalAddress(of: response)
        if let status = response.statusCode, !(200..<300).contains(status) {
            throw ToolFailure(
                code: "http_status",
                "The server answered with status \(status) instead of the page. Try another address.")
        }
        if response.data.count > configuration.maximumBytes {
            response.data = response.data.prefix(configuration.maximumBytes)
            response.truncated = true
        }
        let content = try WebpageContent(response)
        let page = content.page(maximumCharacters: configuration.maximumOutputCharacters)
        return [
            "ok": true, "url": .string(address.text), "final_url": .string(final.text),
            "status_code": response.statusCode.map { .int(Int64($0)) } ?? .null,
            "mime_type": .string(content.type), "title": .string(page.title), "text": .string(page.text),
            "truncated": .bool(page.isCut || response.truncated), "bytes_read": .int(Int64(response.data.count)),
        ]
    }

    private func fetch() async throws(ToolFailure) -> LLMWebpageFetchResponse {
        let timeout = configuration.timeout
        do {
            let request = request
            let response = try await Cancellable.value(within: .seconds(timeout), clock: ContinuousClock()) {
                try await fetcher.fetch(request, configuration: configuration)
            }
            guard let response else { throw ToolFailure.tooSlow(timeout) }
            return response
        } catch let failure as ToolFailure {
            throw failure
        } catch {
            let reason = String(error.localizedDescription.prefix(Self.maximumReasonLength))
            throw ToolFailure(code: "webpage_load_failed", "The page could not be loaded: \(reason)")
        }
    }

    private var request: URLRequest {
        var request = URLRequest(
            url: address.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: configuration.timeout)
        request.httpMethod = "GET"
        request.httpShouldHandleCookies = false
        for (name, value) in URLSessionWebpageFetcher.headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// Where the response says that it comes from.
    private func finalAddress(of response: LLMWebpageFetchResponse) throws(ToolFailure) -> WebAddress {
        guard let url = response.finalURL?.absoluteString, url != address.text else { return address }
        let final = try address.redirected(to: url)
        try configuration.check(final)
        return final
    }
}

extension ToolFailure {
    /// The failure of a page that did not come in time.
    static func tooSlow(_ seconds: TimeInterval) -> ToolFailure {
        ToolFailure(
            code: "webpage_load_failed",
            "The page did not load within \(Int(seconds.rounded(.up))) seconds. Try another address.")
    }
}
