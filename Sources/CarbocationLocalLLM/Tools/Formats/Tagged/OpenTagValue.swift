/// A parameter's value whose end is looked for.
struct OpenTagValue {
    /// What a tag is to the value.
    enum Role {
        /// A part of it.
        case text
        case ends
        /// Its end, but by another reading a part of it.
        case endsWithDoubt
        /// The beginning of another function, which cannot be told from a part of the value.
        case opensFunction
    }

    let key: String
    private let notation: TaggedArgument.Notation
    private let start: Int
    private let text: ByteCursor
    /// Whether the value is neither text nor a container, so that it holds no tag.
    let isPlainScalar: Bool
    /// Whether the value begins in the line below its opening tag, so that its closing tag has a line of its own.
    private let isBlock: Bool
    private let isCharacterData: Bool
    /// Whether a closing tag that starts a line is part of the value.
    private(set) var holdsClosingTag = false
    /// How many opening tags that are part of the value wait for a closing one: those that start lines, and others.
    private var openTags = (startingLines: 0, insideLines: 0)

    init(_ tag: CallTag, isPlainScalar: Bool, text: ByteCursor, _ syntax: TaggedCallSyntax) {
        key = tag.name
        notation = tag.notation
        start = tag.range.upperBound
        self.text = text
        self.isPlainScalar = isPlainScalar
        var beginning = text
        beginning.position = start
        isCharacterData = syntax.hasCharacterData && beginning.isNext(Self.characterDataStart)
        isBlock = Self.isBlock(text, after: tag)
    }

    /// Whether only blanks stand between a tag and the end of its line.
    private static func isBlock(_ text: ByteCursor, after tag: CallTag) -> Bool {
        var beginning = text
        beginning.position = tag.range.upperBound
        _ = beginning.take(while: \.isBlank)
        return beginning.peek == 0x0A || beginning.peek == 0x0D
    }

    private static let characterDataStart: Marker = "<![CDATA["
    private static let characterDataEnd: Marker = "]]>"

    /// Judges the next tag, given the one after it and whether what an opening tag names was declared.
    mutating func role(of tag: CallTag, before next: CallTag?, isAllowed: (CallTag) -> Bool) -> Role {
        if isCharacterData, !isCharacterDataComplete(before: tag) { return .text }
        switch tag.kind {
        case .parameterOpening: return role(ofOpening: tag, isAllowed: isAllowed(tag))
        case .valueClosing: return role(ofClosing: tag, before: next, isAllowed: isAllowed)
        case .functionClosing:
            guard tag.isStructural, tag.startsLine || !isBlock || isPlainScalar else { return .text }
            return openTags.startingLines > 0 ? .endsWithDoubt : .ends
        case .functionOpening:
            return tag.isFollowed && tag.startsLine && isAllowed(tag) ? .opensFunction : .text
        }
    }

    private mutating func role(ofOpening tag: CallTag, isAllowed: Bool) -> Role {
        if isAllowed, tag.startsLine || isPlainScalar {
            // In a call with a line for each tag, text after one hints at a sentence about it.
            let isInSentence = isBlock && !isPlainScalar && !Self.isBlock(text, after: tag)
            return openTags.startingLines > 0 || isInSentence ? .endsWithDoubt : .ends
        }
        if tag.startsLine { openTags.startingLines += 1 } else { openTags.insideLines += 1 }
        return .text
    }

    private mutating func role(ofClosing tag: CallTag, before next: CallTag?, isAllowed: (CallTag) -> Bool) -> Role {
        if tag.startsLine {
            let hasOpenTag = openTags.startingLines > 0
            if hasOpenTag, !tag.isStructural || next.map({ goesOn(with: $0, isAllowed) }) ?? false {
                openTags.startingLines -= 1
                return .text
            }
            if tag.isStructural { return hasOpenTag ? .endsWithDoubt : .ends }
            holdsClosingTag = true
            return .text
        }
        if openTags.insideLines > 0, !tag.isStructural || next?.kind == .valueClosing {
            openTags.insideLines -= 1
            return .text
        }
        guard tag.isStructural else { return .text }
        guard isBlock, !isPlainScalar, let next else { return .ends }
        return role(ofMisplacedClosingBefore: next, isAllowed: isAllowed)
    }

    /// Judges a closing tag within a line, where it should have a line of its own, by the tag that it stands before.
    private func role(ofMisplacedClosingBefore next: CallTag, isAllowed: (CallTag) -> Bool) -> Role {
        switch next.kind {
        case .valueClosing: return next.startsLine ? .text : .ends
        case .parameterOpening where !next.startsLine:
            guard isAllowed(next) else { return .text }
            return Self.isBlock(text, after: next) ? .ends : .endsWithDoubt
        default: return .ends
        }
    }

    /// Whether the value, if it ends at the tag, ends otherwise than the syntax has it.
    func endsLoosely(at tag: CallTag) -> Bool {
        !isPlainScalar && (tag.kind != .valueClosing || (isBlock && !tag.startsLine))
    }

    /// Whether the value goes on behind a closing tag that belongs to an opening one in it.
    private func goesOn(with next: CallTag, _ isAllowed: (CallTag) -> Bool) -> Bool {
        next.kind == .valueClosing || (next.kind == .parameterOpening && !isAllowed(next))
    }

    private func isCharacterDataComplete(before tag: CallTag) -> Bool {
        let end = text.trimmedEnd(start..<tag.range.lowerBound)
        return Self.characterDataEnd.stands(at: end - Self.characterDataEnd.bytes.count, in: text.bytes, before: end)
    }

    /// The argument if the value ends before a place.
    func argument(before end: Int) -> TaggedArgument {
        var range = start..<end
        if isCharacterData {
            let contentStart = start + Self.characterDataStart.bytes.count
            let contentEnd = text.trimmedEnd(range) - Self.characterDataEnd.bytes.count
            return TaggedArgument(key: key, text: text.text(contentStart..<contentEnd), notation: notation)
        }
        let beginsWithLineFeed = dropNewline(atStartOf: &range)
        if let last = range.last, text.bytes[last] == 0x0A {
            range.removeLast()
            // Where lines end with a line feed alone, a carriage return before it is part of the value.
            if !beginsWithLineFeed, let last = range.last, text.bytes[last] == 0x0D { range.removeLast() }
        }
        return TaggedArgument(key: key, text: text.text(range), notation: notation)
    }

    /// Drops one newline; true if it is a line feed alone.
    private func dropNewline(atStartOf range: inout Range<Int>) -> Bool {
        guard let first = range.first else { return false }
        if text.bytes[first] == 0x0A {
            range.removeFirst()
            return true
        }
        if range.count > 1, text.bytes[first] == 0x0D, text.bytes[first + 1] == 0x0A { range.removeFirst(2) }
        return false
    }
}
