/// Where the characters of an edited text stand on a terminal.
///
/// Rows are broken here and not by the terminal, whose habits at the last column differ.
struct LineLayout: Sendable, Hashable {
    private(set) var rows = [""]
    private(set) var cursorRow = 0
    private(set) var cursorColumn = 0

    private let columns: Int
    private var column = 0

    init(prompt: String, text: EditedText, columns: Int) {
        self.columns = columns
        for character in prompt { append(character) }
        for character in text.before { append(character) }
        var isPlaced = false
        for character in text.after {
            if !isPlaced {
                placeCursor(before: character)
                isPlaced = true
            }
            append(character)
        }
        if !isPlaced { placeCursor(before: nil) }
    }

    /// Whether the cursor stands behind the last character.
    var cursorIsAtEnd: Bool { cursorRow == rows.count - 1 && cursorColumn == column }

    private mutating func placeCursor(before next: Character?) {
        if next != "\n" { breakRow(for: next.map(TextColumns.of) ?? 1) }
        cursorRow = rows.count - 1
        cursorColumn = min(column, columns - 1)
    }

    private mutating func append(_ character: Character) {
        guard character != "\n" else { return startRow() }
        let width = TextColumns.of(character)
        breakRow(for: width)
        rows[rows.count - 1] += Self.shown(character)
        column += width
    }

    private mutating func breakRow(for width: Int) {
        if column > 0, column + width > columns { startRow() }
    }

    private mutating func startRow() {
        rows.append("")
        column = 0
    }

    /// The character without what would turn the direction of the row.
    private static func shown(_ character: Character) -> String {
        if character == "\t" { return String(repeating: " ", count: TextColumns.tab) }
        if character.isASCII { return String(character) }
        return String(String.UnicodeScalarView(character.unicodeScalars.filter { !$0.properties.isBidiControl }))
    }
}
