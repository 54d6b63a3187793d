import Testing

@testable import CLLMCommands

@Suite struct TextColumnsTests {
    @Test(
        "characters take as many columns as terminals give them",
        arguments: [
            ("a", 1), ("é", 1), ("e\u{301}", 1), ("漢", 2), ("ｱ", 1), ("Ａ", 2), ("한", 2), ("한", 2), ("😀", 2), ("❤", 1),
            ("❤️", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("\u{200B}", 0), ("\u{301}", 0), ("\t", 4), ("ß", 1), ("ﷺ", 1), ("⌚", 2),
            ("→", 1),
        ])
    func columns(text: String, expected: Int) {
        #expect(TextColumns.of(text) == expected)
    }

    @Test("what would turn the direction of the row is not shown, but kept")
    func direction() {
        let text = EditedText("a\u{202E}b")
        #expect(LineLayout(prompt: "", text: text, columns: 20).rows == ["ab"])
        #expect(text.text == "a\u{202E}b")
    }
}
