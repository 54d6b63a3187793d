/// Text from files and servers as a terminal may show it.
enum PlainText {
    /// The text with a space for every character that steers the terminal, breaks the line or turns its direction.
    static func clean(_ text: String) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: clean.append(" ")
            default: clean.append(scalar.properties.isBidiControl ? " " : scalar)
            }
        }
        return String(clean)
    }
}
