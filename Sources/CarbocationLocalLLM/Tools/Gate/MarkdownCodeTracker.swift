/// Knows whether a place in text is inside a code span or a fenced code block of Markdown.
///
/// A code span ends with its line at the latest, so that a stray backtick hides nothing for long.
struct MarkdownCodeTracker: Sendable {
    private enum Place: Hashable {
        case text
        case span(ticks: Int)
        case fence(character: UInt8, length: Int)
    }

    private var place: Place = .text
    /// The run of backticks or tildes that is being read.
    private var run = 0
    private var runCharacter: UInt8 = 0
    private var runIsAtLineStart = true
    /// Whether only spaces were read since the last line end.
    private(set) var isAtLineStart = true
    /// Whether the rest of a fence's first line is being read, where backticks mean nothing.
    private var isInFenceLine = false

    /// Whether the next byte is code if it does not lengthen a run of backticks.
    var isInCode: Bool {
        settled.place != .text
    }

    /// Whether it is within a code span.
    var isInSpan: Bool {
        if case .span = settled.place { true } else { false }
    }

    private var settled: MarkdownCodeTracker {
        guard run > 0 else { return self }
        var copy = self
        copy.endRun()
        return copy
    }

    /// Whether a fence may begin with the next byte.
    var canBeginFence: Bool {
        isAtLineStart && run == 0 && place == .text
    }

    mutating func read(_ byte: UInt8) {
        if run > 0 {
            if byte == runCharacter {
                run += 1
                return
            }
            endRun()
        }
        if byte == UInt8(ascii: "\n") {
            isAtLineStart = true
            isInFenceLine = false
            if case .span = place { place = .text }
        } else if (byte == UInt8(ascii: "`") || (byte == UInt8(ascii: "~") && isAtLineStart)) && !isInFenceLine {
            run = 1
            runCharacter = byte
            runIsAtLineStart = isAtLineStart
            isAtLineStart = false
        } else if !byte.isSpacing {
            isAtLineStart = false
        }
    }

    private mutating func endRun() {
        defer { run = 0 }
        switch place {
        case .text:
            if runIsAtLineStart, run >= 3 {
                place = .fence(character: runCharacter, length: run)
                isInFenceLine = true
            } else if runCharacter == UInt8(ascii: "`") {
                place = .span(ticks: run)
            }
        case .span(let ticks):
            if run == ticks { place = .text }
        case .fence(let character, let length):
            if runIsAtLineStart, runCharacter == character, run >= length { place = .text }
        }
    }
}
