public import CarbocationLocalLLM
import Foundation

/// The tool `load_webpage`: the readable text of a page of the open internet.
public enum LLMLoadWebpageTool {
    /// Loads what the arguments say.
    ///
    /// The arguments are `{"url":…}`, an http or https address without a user name. The text that is given back is that of
    /// strangers: it must never be taken for instructions.
    ///
    /// The address is checked before the fetcher is called, and the response's final address after it: the port is one of
    /// the allowed ones and the host neither a local name nor an address of a private network. Pages can be HTML or plain
    /// text. Their text is cut at the configuration's limits.
    ///
    /// ```swift
    /// let page = try await LLMLoadWebpageTool.load(
    ///     arguments: ["url": "https://example.com/"], fetcher: URLSessionWebpageFetcher())
    /// // {"ok":true,"url":"https://example.com/","final_url":"https://example.com/","status_code":200,
    /// //  "mime_type":"text/html","title":"Example Domain","text":"…","truncated":false,"bytes_read":1256}
    /// ```
    ///
    /// - Parameters:
    ///   - arguments: Anything; what is no such object gives a failure.
    ///   - configuration: The limits.
    ///   - fetcher: Loads the page.
    /// - Returns: The object above, or `{"ok":false,"error":{"code":…,"message":…}}` with one of the codes
    ///   `invalid_arguments`, `invalid_url`, `unsupported_scheme`, `blocked_port`, `blocked_address`,
    ///   `unsupported_redirect`, `http_status`, `unsupported_content_type`, `response_too_large` and
    ///   `webpage_load_failed`.
    /// - Throws: `CancellationError` when the task is cancelled, nothing else.
    public static func load(
        arguments: LLMJSONValue, configuration: Configuration = Configuration(), fetcher: any LLMWebpageFetching
    ) async throws -> LLMJSONValue {
        try Task.checkCancellation()
        let output: LLMJSONValue
        do throws(ToolFailure) {
            let address = try address(in: arguments)
            try configuration.check(address)
            let visit = WebpageVisit(address: address, configuration: configuration, fetcher: fetcher)
            output = try await visit.output()
        } catch {
            output = error.output
        }
        try Task.checkCancellation()
        return output
    }

    /// The title and the readable text of a page.
    ///
    /// Left out are scripts, styles, navigation, drawings, templates, what is there for want of scripts, and what is marked
    /// as hidden. White space is collapsed, except in preformatted text; blocks begin on a line of their own. Takes time
    /// in proportion to the page's length, whatever its markup is like.
    ///
    /// - Parameters:
    ///   - html: The page.
    ///   - maximumCharacters: How many characters of text to give back.
    /// - Returns: The title, which is empty if there is none, the text, and whether it was cut.
    public static func extractReadableText(
        fromHTML html: String, maximumCharacters: Int
    ) -> (title: String, text: String, truncated: Bool) {
        var html = html
        let page = html.withUTF8 { ReadablePage(html: $0, maximumCharacters: maximumCharacters) }
        return (page.title, page.text, page.isCut)
    }

    private static func address(in arguments: LLMJSONValue) throws(ToolFailure) -> WebAddress {
        guard case .object(let object) = arguments else {
            throw ToolFailure("The arguments are no object. Give the address of a page as url.")
        }
        guard let value = object["url"] else {
            throw ToolFailure("The address is missing. Give the address of a page as url.")
        }
        guard case .string(let text) = value else {
            throw ToolFailure("The address must be a text, not \(value.quoted). Give the address of a page as url.")
        }
        let address = text.trimmed.replacing("\\/", with: "/")
        guard !address.isEmpty else { throw .invalidURL("it is empty") }
        return try WebAddress(address)
    }
}
