@testable import CLLMCommands

/// What a terminal shows of the editor's output; knows only what the editor uses.
struct VirtualScreen: Hashable {
    private(set) var cells: [[String]]
    private(set) var row = 0
    private(set) var column = 0
    /// Whether something was written that the editor must not write.
    private(set) var isConfused = false

    private let size: TerminalSize

    init(_ size: TerminalSize) {
        self.size = size
        cells = Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows)
    }

    /// The rows without trailing blanks, and without empty ones at the end.
    var text: String {
        let rows = cells.map { row in
            let text = row.joined()
            return String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
        }
        return rows[..<((rows.lastIndex { !$0.isEmpty } ?? -1) + 1)].joined(separator: "\n")
    }

    mutating func write(_ output: String) {
        var rest = Substring(output)
        while let character = rest.popFirst() {
            switch character {
            case "\r\n":
                column = 0
                lineFeed()
            case "\r": column = 0
            case "\n": lineFeed()
            case "\u{1B}": sequence(&rest)
            default: put(character)
            }
        }
    }

    private mutating func put(_ character: Character) {
        let width = TextColumns.of(character)
        if width == 0 { return }
        if column + width > size.columns { isConfused = true }
        guard column < size.columns else { return }
        cells[row][column] = String(character)
        for covered in 1..<max(2, width) where width > 1 && column + covered < size.columns {
            cells[row][column + covered] = ""
        }
        column += width
    }

    private mutating func lineFeed() {
        row += 1
        guard row == size.rows else { return }
        cells.removeFirst()
        cells.append(Array(repeating: " ", count: size.columns))
        row -= 1
    }

    private mutating func sequence(_ rest: inout Substring) {
        guard rest.popFirst() == "[" else { return isConfused = true }
        let digits = rest.prefix(while: \.isNumber)
        rest.removeFirst(digits.count)
        let count = Int(digits)
        switch (rest.popFirst(), count) {
        case ("A", let count?): row = max(0, row - count)
        case ("B", let count?): row = min(size.rows - 1, row + count)
        case ("C", let count?): column = min(size.columns - 1, column + count)
        case ("H", nil): (row, column) = (0, 0)
        case ("J", nil): clear(from: row, column)
        case ("J", 2): clear(from: 0, 0)
        default: isConfused = true
        }
    }

    private mutating func clear(from row: Int, _ column: Int) {
        for index in column..<max(column, size.columns) { cells[row][index] = " " }
        for index in row + 1..<max(row + 1, size.rows) {
            cells[index] = Array(repeating: " ", count: size.columns)
        }
    }
}
