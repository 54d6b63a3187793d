/// Rows whose columns line up.
struct TextTable {
    private let rows: [[String]]

    init(_ rows: [[String]]) {
        self.rows = rows.map { $0.map(PlainText.clean) }
    }

    /// One line for each row, columns two spaces apart.
    var text: String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.compactMap { $0.indices.contains(column) ? $0[column].count : nil }.max() ?? 0
        }
        return rows.map { Self.line($0, widths) + "\n" }.joined()
    }

    private static func line(_ row: [String], _ widths: [Int]) -> String {
        let cells = zip(row, widths).map { cell, width in
            cell + String(repeating: " ", count: width - cell.count)
        }
        return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }
}
