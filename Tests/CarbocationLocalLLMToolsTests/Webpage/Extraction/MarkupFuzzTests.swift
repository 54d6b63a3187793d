import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Foundation
import TestSupport
import Testing

/// Set the variable to a number of documents for a long run.
@Suite("Hostile markup", .timeLimit(.minutes(10)))
struct MarkupFuzzTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["CARBOCATION_FUZZ_MARKUP"].flatMap(Int.init) ?? 1_000

    private static let seed = """
        <!DOCTYPE html><html lang=en><head><meta charset="utf-8"><title>A &amp; B</title><style>p{a:b}</style></head>
        <body class='x y' data-z="1"><nav><a href="/">Home</a></nav><h1>Head</h1><p hidden>not</p><p>one<br/>two &eacute;
        <ul><li>a<li>b</ul><table><tr><td>1<td>2</table><pre> x\n  y</pre><script>if (a<b) "</p>"</script><!-- c -->
        <svg><text>t</text></svg><iframe src="x"\n ="0"></iframe><select><option>o</select>日本 \u{1F600}</body></html>
        """
    private static let pieces = [
        "<", ">", "</", "/>", "<!--", "-->", "<!", "<?", "=", "\"", "'", "&", "&#", "&#x", ";", "\u{0}", "\u{FFFD}",
        "<p", "<div>",
        "</div>", "<title>", "</title>", "<script>", "</script", "<table><tr>", "<td>", "<body hidden>", "<html>",
        "</body></html>", "<nav>",
        "</nav>", " hidden", " style='display:none'", "<![CDATA[", "]]>", "<svg/>", "<textarea>", "<frameset>",
        "<select>", "<pre>\n", "<a a a a",
        "<x:y>", "é", "\u{301}", "&copy", "&nbsp;", "<br", "<plaintext>", "<head>", "<form>", "<style>", "&lt",
        "<b><i></b></i>",
    ]

    @Test("W11: mutated pages give text")
    func mutations() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<Self.rounds {
            var bytes = Array(Self.seed.utf8)
            for _ in 0..<Int.random(in: 1...20, using: &random) { Self.mutate(&bytes, using: &random) }
            let limit = Int.random(in: 0...400, using: &random)
            let page = LLMLoadWebpageTool.extractReadableText(
                fromHTML: String(decoding: bytes, as: UTF8.self), maximumCharacters: limit)
            #expect(page.text.count <= limit)
            #expect(page.title.count <= 500)
            #expect(!page.truncated || page.text.count == limit)
        }
    }

    @Test("W11: random bytes and random markup give text")
    func noise() {
        var random = SeededGenerator(seed: 12)
        for round in 0..<Self.rounds {
            let count = Int.random(in: 0...300, using: &random)
            let bytes: [UInt8] =
                round.isMultiple(of: 2)
                ? (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                : (0..<count).flatMap { _ in
                    Array(Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)].utf8)
                }
            let page = LLMLoadWebpageTool.extractReadableText(
                fromHTML: String(decoding: bytes, as: UTF8.self), maximumCharacters: 1000)
            #expect(page.text.count <= 1000)
        }
    }

    /// What takes other parsers a time that grows with the square of the length, or more.
    static let explosive: [(name: String, page: @Sendable (Int) -> String)] = [
        ("unmatched ends", { String(repeating: "<i>", count: $0) + String(repeating: "</b>", count: $0) }),
        ("unmatched cells", { String(repeating: "<div>", count: $0) + String(repeating: "</td>", count: $0) }),
        ("attributes", { "<p" + (0..<$0).map { " a\($0)" }.joined() + ">x" }),
        ("equal attributes", { "<p" + String(repeating: " a", count: $0) + ">x" }),
        ("bodies", { String(repeating: "<i>", count: $0) + String(repeating: "<body><html a=b>", count: $0) }),
        ("titles", { String(repeating: "<title>", count: $0) }),
        ("textareas", { String(repeating: "<textarea>", count: $0) }),
        ("comments", { String(repeating: "<!--", count: $0) }),
        ("declarations", { String(repeating: "<!", count: $0) }),
        ("angles", { String(repeating: "<", count: $0) }), ("ampersands", { String(repeating: "&", count: $0) }),
        ("numbers", { "&#" + String(repeating: "9", count: $0) }),
        ("quotes", { String(repeating: "<a b='", count: $0) }),
        ("blanks", { "<p" + String(repeating: " ", count: $0) }),
        ("tables", { String(repeating: "<table><tr><td>", count: $0) }),
        ("forms", { String(repeating: "<form><select><option>", count: $0) }),
        ("lists", { String(repeating: "<li><p><dd><dt>", count: $0) }),
        ("hidden", { String(repeating: "<b hidden>", count: $0) }),
        ("scripts", { "<script>" + String(repeating: "</scrip", count: $0) }),
        ("equals", { "<p " + String(repeating: "= ", count: $0) }),
        ("names", { "<" + String(repeating: "x", count: $0) }),
        ("spans", { String(repeating: "<a><span>", count: $0) }),
        ("zeros", { String(repeating: "\u{0}<p>", count: $0) }),
        ("names of references", { "&" + String(repeating: "x", count: $0) }),
        ("slashes", { "<p" + String(repeating: "/", count: $0) + ">" }),
    ]

    @Test("W09: no markup takes more than a time in proportion to its length", arguments: explosive.indices)
    func explosions(index: Int) {
        let (name, page) = Self.explosive[index]
        func time(_ count: Int) -> Duration {
            let html = page(count)
            return (0..<2).map { _ in
                ContinuousClock().measure {
                    _ = LLMLoadWebpageTool.extractReadableText(fromHTML: html, maximumCharacters: 20_000)
                }
            }.min() ?? .zero
        }
        let (short, long) = (time(3_000), time(24_000))
        // Eight times the length; with the square it would be 64 times the time.
        #expect(long < short * 30 + .milliseconds(500), "\(name): \(short), \(long)")
    }

    private static func mutate(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 0...30, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes.removeSubrange(place..<end)
        case 1: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
        case 2: bytes.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &random)].utf8, at: place)
        case 3: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
        default: if Int.random(in: 0..<20, using: &random) == 0 { bytes.removeSubrange(place...) }
        }
    }
}
