import CarbocationLocalLLM
import Foundation

/// A response whose body can be read.
struct WebpageContent {
    /// The type's name: the server's, or what the data look like.
    let type: String

    private let isHTML: Bool
    private let response: LLMWebpageFetchResponse

    /// Refuses what is neither HTML nor plain text.
    ///
    /// - Throws: `unsupported_content_type`.
    init(_ response: LLMWebpageFetchResponse) throws(ToolFailure) {
        let name = WebpageType.name(in: response.contentType)
        var type = WebpageType(response.contentType)
        if type != .unsupported, WebpageType.isKnownBinary(response.data) { type = .unsupported }
        if type == .unknown || (type == .plainText && Self.isMislabelled(response)) {
            type = WebpageType(sniffing: response.data)
        }
        switch type {
        case .html: isHTML = true
        case .plainText: isHTML = false
        case .unknown, .unsupported:
            let kind = name.map { " of the type \(LLMJSONValue.string($0).quoted)" } ?? ""
            throw ToolFailure(
                code: "unsupported_content_type",
                "The address leads to data\(kind), not to a page of text. Give the address of an HTML or text page.")
        }
        let isNamed = WebpageType(response.contentType) != .unknown
        self.type = isNamed ? name ?? "" : isHTML ? "text/html" : "text/plain"
        self.response = response
    }

    /// What the page says.
    func page(maximumCharacters: Int) -> ReadablePage {
        let text = PageDecoder(
            data: response.data, label: WebpageType.charset(in: response.contentType), isHTML: isHTML,
            isTruncated: response.truncated
        ).text
        guard isHTML else { return ReadablePage(plainText: text, maximumCharacters: maximumCharacters) }
        var html = text
        return html.withUTF8 { ReadablePage(html: $0, maximumCharacters: maximumCharacters) }
    }

    /// Servers call what they do not know plain text.
    private static func isMislabelled(_ response: LLMWebpageFetchResponse) -> Bool {
        let label = WebpageType.charset(in: response.contentType)?.lowercased() ?? ""
        guard !label.hasPrefix("utf-16") else { return false }
        return WebpageType(sniffing: response.data) == .unsupported
    }
}
