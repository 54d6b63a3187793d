import CarbocationLocalLLM
import Foundation
import Testing

@Suite("LinkHeader")
struct LinkHeaderTests {
    private static let base = "https://hub.test/api/models/o/r/tree/main?recursive=true".url

    private static func next(_ values: String...) -> String? {
        var headers = HTTPHeaders()
        for value in values { headers.add(value, for: "link") }
        return LinkHeader(headers).target("next", relativeTo: base)?.absoluteString
    }

    @Test(
        "HF-5: the next page",
        arguments: [
            "<https://hub.test/p?cursor=2>; rel=\"next\"", "<https://hub.test/p?cursor=2>;rel=next",
            "<https://hub.test/p?cursor=2> ; REL = Next", "</p?cursor=2>; rel=\"next\"",
            "<https://hub.test/first>; rel=\"first\", <https://hub.test/p?cursor=2>; rel=\"next\"",
            "<https://hub.test/p?cursor=2>; title=\"a, b; rel=\\\"last\\\"\"; rel=\"prefetch next\"",
            "<https://hub.test/p?cursor=2>; rel=next; rel=last", " , <https://hub.test/p?cursor=2>; rel=next,",
            "<https://hub.test/p?cursor=2>; title; rel=next",
        ])
    func next(value: String) {
        #expect(Self.next(value) == "https://hub.test/p?cursor=2")
    }

    @Test("links may be spread over several headers")
    func severalHeaders() {
        #expect(Self.next("</a>; rel=prev", "</b>; rel=next", "</c>; rel=next") == "https://hub.test/b")
    }

    @Test("addresses with commas and semicolons are whole")
    func punctuation() {
        #expect(Self.next("</a,b;c>; rel=next") == "https://hub.test/a,b;c")
    }

    @Test(
        "no next page",
        arguments: [
            "", "<>", "</p>", "</p>; rel=prev", "</p>; rev=next", "/p; rel=next", "</p; rel=next",
            "</p>; rel=\"nextish\"", "</p>; title=\"; rel=next", "</p>, rel=next",
        ])
    func none(value: String) {
        #expect(Self.next(value) == nil)
    }

    @Test("hostile values end in time", arguments: ["<", ";", ",", "\"", "<>;", "<>;a=\"", "\\", "<a>;rel=\"\\"])
    func hostile(piece: String) {
        var headers = HTTPHeaders()
        headers.add(String(repeating: piece, count: 20_000), for: "Link")
        #expect(LinkHeader(headers).target("next", relativeTo: Self.base) == nil)
    }
}
