/// Finds the fenced blocks of a Markdown text, as models write them.
///
/// More is taken for a fence than Markdown allows: one after text on its line, one with the content on the same line,
/// and one that opens before the block before it was closed. A block that is never closed goes to the end. Linear.
struct FencedBlocks {
    /// What stands in the blocks, without the info strings, in order.
    private(set) var contents: [Substring] = []
    /// Whether the last of them is not closed.
    private(set) var endsOpen = false

    private struct Fence {
        let range: Range<Substring.Index>
        let length: Int
        /// Whether nothing but white space stands before it on its line.
        let isFirst: Bool
        let hasInfo: Bool
        /// Whether nothing but an info string stands after it on its line.
        let isLast: Bool
        /// The end of the info string and of the white space or line break after it.
        let contentStart: Substring.Index
    }

    private let text: Substring
    private var opener: Fence?
    private var isOnOpenersLine = false

    /// Finds the blocks of a text.
    init(_ text: Substring) {
        self.text = text
        var position = text.startIndex
        var isFirst = true
        while position != text.endIndex {
            if let fence = fence(at: position, isFirst: isFirst) {
                note(fence)
                position = fence.range.upperBound
                isFirst = false
                continue
            }
            let byte = text.utf8[position]
            if byte == UInt8(ascii: "\n") { isOnOpenersLine = false }
            isFirst = byte == UInt8(ascii: "\n") || isFirst && Self.isBlank(byte)
            text.utf8.formIndex(after: &position)
        }
        guard let opener else { return }
        contents.append(text[opener.contentStart...])
        endsOpen = true
    }

    private mutating func note(_ fence: Fence) {
        if let opener {
            guard closes(fence, opener) else { return }
            contents.append(text[opener.contentStart..<fence.range.lowerBound])
            self.opener = nil
            guard fence.isFirst, fence.isLast, fence.hasInfo else { return }
        }
        guard fence.isFirst || fence.isLast else { return }
        opener = fence
        isOnOpenersLine = true
    }

    private func closes(_ fence: Fence, _ opener: Fence) -> Bool {
        guard fence.length >= opener.length, text.utf8[fence.range.lowerBound] == text.utf8[opener.range.lowerBound]
        else { return false }
        return isOnOpenersLine || fence.isFirst || fence.isLast && !fence.hasInfo
    }

    /// The fence that begins at `position`, to the end of its run.
    private func fence(at position: Substring.Index, isFirst: Bool) -> Fence? {
        let bytes = text.utf8
        let mark = bytes[position]
        guard mark == UInt8(ascii: "`") || isFirst && mark == UInt8(ascii: "~") else { return nil }
        let end = skip(from: position) { $0 == mark }
        let length = bytes.distance(from: position, to: end)
        guard length >= 3 else { return nil }
        let infoEnd = skip(from: end, while: Self.isInfo)
        var contentStart = skip(from: infoEnd, while: Self.isBlank)
        let isLast = contentStart == text.endIndex || bytes[contentStart] == UInt8(ascii: "\n")
        if isLast, contentStart != text.endIndex { bytes.formIndex(after: &contentStart) }
        return Fence(
            range: position..<end, length: length, isFirst: isFirst, hasInfo: infoEnd != end, isLast: isLast,
            contentStart: contentStart)
    }

    private func skip(from start: Substring.Index, while matches: (UInt8) -> Bool) -> Substring.Index {
        text.utf8[start...].firstIndex { !matches($0) } ?? text.endIndex
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    private static func isInfo(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "#"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
