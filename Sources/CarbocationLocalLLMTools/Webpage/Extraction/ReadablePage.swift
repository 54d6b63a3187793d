/// The title and the text of a page.
struct ReadablePage {
    let title: String
    let text: String

    /// Whether the text is cut.
    let isCut: Bool

    private static let maximumTitleCharacters = 500

    /// Characters are of any length; no more scalars than so many for each are given back.
    private static let scalarsPerCharacter = 8

    /// Reads HTML.
    init(html: UnsafeBufferPointer<UInt8>, maximumCharacters: Int) {
        let limit = Self.scalarLimit(maximumCharacters)
        let builder = ReadableTextBuilder(scalarLimit: limit)
        if let parser = MarkupParser(builder: builder) {
            var feed = MarkupFeed(html, parser: parser, builder: builder)
            feed.run()
            // The parser calls the builder without keeping it.
            withExtendedLifetime((parser, builder)) {}
        }
        title = Self.cut(builder.title.text, Self.maximumTitleCharacters).text
        (text, isCut) = Self.cut(builder.text.text, maximumCharacters)
    }

    /// Reads plain text, whose lines are kept.
    init(plainText: String, maximumCharacters: Int) {
        var collapser = TextCollapser()
        var source = plainText
        source.withUTF8 { collapser.append(plainText: $0) }
        title = ""
        (text, isCut) = Self.cut(collapser.text, maximumCharacters)
    }

    private static func scalarLimit(_ maximumCharacters: Int) -> Int {
        let (limit, isOverflow) = max(maximumCharacters, 0).multipliedReportingOverflow(by: scalarsPerCharacter)
        return isOverflow ? .max : limit
    }

    /// The first characters of a text, and whether there are more.
    private static func cut(_ text: String, _ maximumCharacters: Int) -> (text: String, isCut: Bool) {
        let scalars = text.unicodeScalars
        let bounded = scalars.index(text.startIndex, offsetBy: scalarLimit(maximumCharacters), limitedBy: text.endIndex)
        let start = String(text[..<(bounded ?? text.endIndex)])
        let end = start.index(start.startIndex, offsetBy: max(maximumCharacters, 0), limitedBy: start.endIndex)
        guard let end, end < start.endIndex else { return (start, start.utf8.count < text.utf8.count) }
        return (String(start[..<end]), true)
    }
}
