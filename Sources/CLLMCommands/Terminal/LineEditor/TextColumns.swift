/// How many columns of a terminal characters take.
enum TextColumns {
    /// A tab is shown as this many blanks, because its own width depends on where it stands.
    static let tab = 4

    static func of(_ text: String) -> Int {
        text.reduce(0) { $0 + of($1) }
    }

    /// 0 for what is only shown with other characters, 2 for wide ones.
    static func of(_ character: Character) -> Int {
        if character == "\t" { return tab }
        if character.isASCII { return 1 }
        var columns = 0
        for scalar in character.unicodeScalars {
            // Variation selector 16 asks for the coloured, wide form.
            if scalar == "\u{FE0F}", columns == 1 { return 2 }
            columns = max(columns, of(scalar))
        }
        return columns
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
        default: break
        }
        // Middle and last letters of Hangul syllables written in parts.
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        return isWide(scalar) ? 2 : 1
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x1100 else { return false }
        if scalar.properties.isEmojiPresentation { return true }
        return wide.contains { $0.contains(scalar.value) }
    }

    /// The blocks of East Asian scripts, whose characters are square.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x16FF1, 0x17000...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
