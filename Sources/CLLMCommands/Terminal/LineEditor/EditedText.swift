/// A text and the place in it where typing goes on.
///
/// Everything works on characters as people see them: a letter with its accents is one. Changes cost as much as they
/// move or change, not as much as the text is long.
struct EditedText: Sendable, Hashable {
    private(set) var before: [Character] = []
    /// What stands behind the cursor, the last character first.
    private var reversedAfter: [Character] = []

    /// The text with the cursor at its end.
    init(_ text: String = "") {
        insert(text)
    }

    var text: String { String(before) + String(after) }

    var isEmpty: Bool { before.isEmpty && reversedAfter.isEmpty }

    /// What stands behind the cursor, in order.
    var after: ReversedCollection<[Character]> { reversedAfter.reversed() }

    /// Puts a text before the cursor, without its control characters but tabs and line breaks.
    mutating func insert(_ text: String) {
        let accepted = String(String.UnicodeScalarView(text.unicodeScalars.filter(Self.isAccepted)))
        // An accent joins the letter before it even when it arrives later.
        let joined = (before.popLast().map(String.init) ?? "") + accepted
        before += Array(joined)
        // What is now before the cursor may take up what was alone behind it.
        while let last = before.last, let next = reversedAfter.last, let both = Self.single(String(last) + String(next))
        {
            before[before.count - 1] = both
            reversedAfter.removeLast()
        }
    }

    private static func isAccepted(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
    }

    private static func single(_ text: String) -> Character? {
        text.index(after: text.startIndex) == text.endIndex ? text.first : nil
    }
}

// MARK: - Moving

extension EditedText {
    mutating func moveLeft() {
        if let character = before.popLast() { reversedAfter.append(character) }
    }

    mutating func moveRight() {
        if let character = reversedAfter.popLast() { before.append(character) }
    }

    mutating func moveToLineStart() {
        while let last = before.last, last != "\n" { moveLeft() }
    }

    mutating func moveToLineEnd() {
        while let next = reversedAfter.last, next != "\n" { moveRight() }
    }

    mutating func moveWordLeft() {
        while let last = before.last, !Self.isWord(last) { moveLeft() }
        while let last = before.last, Self.isWord(last) { moveLeft() }
    }

    mutating func moveWordRight() {
        while let next = reversedAfter.last, !Self.isWord(next) { moveRight() }
        while let next = reversedAfter.last, Self.isWord(next) { moveRight() }
    }

    mutating func moveToEnd() {
        while !reversedAfter.isEmpty { moveRight() }
    }

    private static func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}

// MARK: - Deleting

extension EditedText {
    mutating func deleteBackward() {
        _ = before.popLast()
    }

    mutating func deleteForward() {
        _ = reversedAfter.popLast()
    }

    /// Deletes what is left of the line, or the line break when nothing is.
    mutating func deleteToLineEnd() {
        if reversedAfter.last == "\n" { return deleteForward() }
        while let next = reversedAfter.last, next != "\n" { deleteForward() }
    }

    /// Deletes the line up to the cursor, or the line break before it when there is nothing.
    mutating func deleteToLineStart() {
        if before.last == "\n" { return deleteBackward() }
        while let last = before.last, last != "\n" { deleteBackward() }
    }

    mutating func deleteBlankWordBackward() {
        while let last = before.last, last.isWhitespace { deleteBackward() }
        while let last = before.last, !last.isWhitespace { deleteBackward() }
    }

    mutating func deleteWordBackward() {
        while let last = before.last, !Self.isWord(last) { deleteBackward() }
        while let last = before.last, Self.isWord(last) { deleteBackward() }
    }

    mutating func deleteWordForward() {
        while let next = reversedAfter.last, !Self.isWord(next) { deleteForward() }
        while let next = reversedAfter.last, Self.isWord(next) { deleteForward() }
    }
}
