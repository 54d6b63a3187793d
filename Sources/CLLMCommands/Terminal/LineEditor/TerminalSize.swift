/// The window of a terminal.
package struct TerminalSize: Sendable, Hashable {
    package var columns: Int
    package var rows: Int

    /// A terminal that does not tell its size passes 0.
    package init(columns: Int, rows: Int) {
        self.columns = columns > 0 ? max(columns, 4) : 80
        self.rows = rows > 0 ? max(rows, 2) : 24
    }
}
