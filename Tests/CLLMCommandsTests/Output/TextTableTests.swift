import Testing

@testable import CLLMCommands

@Suite struct TextTableTests {
    @Test("columns line up, and lines do not end in spaces")
    func columns() {
        let table = TextTable([["a", "bcd", ""], ["efgh", "i", "j"], ["k"]])
        #expect(table.text == "a     bcd\nefgh  i    j\nk\n")
    }

    @Test("nothing is nothing")
    func empty() {
        #expect(TextTable([]).text.isEmpty)
    }

    @Test("text from outside neither breaks lines nor steers the terminal")
    func hostileText() {
        #expect(TextTable([["a\u{1B}[31m\nb\u{9B}c\u{2028}d\r"]]).text == "a [31m b c d\n")
        #expect(PlainText.clean("a\u{202E}b\u{2066}c") == "a b c")
        #expect(PlainText.clean("Zoë 模型 👍🏽") == "Zoë 模型 👍🏽")
    }
}
