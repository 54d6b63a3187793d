/// The lines that were entered before, and the way through them.
struct LineHistory: Sendable, Hashable {
    /// How many lines are kept.
    static let countLimit = 1000

    private(set) var entries: [String]
    /// What was made of entries, and of the new line, while they were looked at.
    private var drafts: [Int: EditedText] = [:]
    private var position: Int

    init(_ entries: [String] = []) {
        self.entries = Array(entries.suffix(Self.countLimit))
        position = self.entries.count
    }

    /// Keeps a line, unless it is blank or the last one again, and starts at the end.
    mutating func add(_ line: String) {
        if !line.allSatisfy(\.isWhitespace), line != entries.last {
            entries = Array((entries + [line]).suffix(Self.countLimit))
        }
        drafts = [:]
        position = entries.count
    }

    /// The entry before, in exchange for the text that is being edited; nil when there is none.
    mutating func previous(leaving text: EditedText) -> EditedText? {
        position > 0 ? move(to: position - 1, leaving: text) : nil
    }

    /// The entry after, or at last the new line as it was left; nil when there is none.
    mutating func next(leaving text: EditedText) -> EditedText? {
        position < entries.count ? move(to: position + 1, leaving: text) : nil
    }

    private mutating func move(to place: Int, leaving text: EditedText) -> EditedText {
        drafts[position] = text
        position = place
        var text = drafts[place] ?? EditedText(place < entries.count ? entries[place] : "")
        text.moveToEnd()
        return text
    }
}
