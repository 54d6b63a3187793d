/// Keeps what a terminal shows of a line up to date.
struct LinePainter: Sendable {
    private struct Shown: Hashable {
        var rows: [String]
        var cursorRow: Int
        var cursorIsAtEnd: Bool
    }

    private var shown: Shown?

    /// What changes the terminal from what it shows to `layout`.
    ///
    /// Of a text with more rows than the window, those around the cursor are shown.
    mutating func paint(_ layout: LineLayout, in size: TerminalSize) -> String {
        let first = min(max(0, layout.cursorRow - size.rows + 1), max(0, layout.rows.count - size.rows))
        let next = Shown(
            rows: Array(layout.rows[first..<min(layout.rows.count, first + size.rows)]),
            cursorRow: layout.cursorRow - first, cursorIsAtEnd: layout.cursorIsAtEnd)
        defer { shown = next }
        if let added = addition(of: next) { return added }
        let below = next.rows.count - 1 - next.cursorRow
        return home() + next.rows.joined(separator: "\r\n") + Self.move(below, "A") + "\r"
            + Self.move(layout.cursorColumn, "C")
    }

    /// Forgets the line, which something else takes the place of.
    mutating func forget() {
        shown = nil
    }

    /// Moves behind the line, to a row of its own.
    mutating func leave() -> String {
        guard let shown else { return "" }
        self.shown = nil
        return Self.move(shown.rows.count - 1 - shown.cursorRow, "B") + "\r\n"
    }

    /// What was typed, when nothing else is new.
    private func addition(of next: Shown) -> String? {
        guard let shown, shown.cursorIsAtEnd, next.cursorIsAtEnd, shown.rows.count == next.rows.count,
            shown.rows.dropLast() == next.rows.dropLast(), let old = shown.rows.last, let new = next.rows.last,
            new.utf8.starts(with: old.utf8)
        else { return nil }
        return String(decoding: new.utf8.dropFirst(old.utf8.count), as: UTF8.self)
    }

    /// Goes to the beginning of the line and clears the rest of the screen.
    private func home() -> String {
        "\r" + Self.move(shown?.cursorRow ?? 0, "A") + "\u{1B}[J"
    }

    private static func move(_ count: Int, _ direction: String) -> String {
        count > 0 ? "\u{1B}[\(count)\(direction)" : ""
    }
}
