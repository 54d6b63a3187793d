/// Shows a model's response on one line, for messages and logs.
public enum LLMResponsePreview {
    /// The beginning of a response, with line breaks and other control characters made visible.
    ///
    /// A response without text says so: `<empty response>`, or `<whitespace-only response: ..\n>` with a dot for each
    /// space.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - limit: The most characters of it to show; an ellipsis stands for the rest.
    /// - Returns: The description. Takes time in proportion to the limit, or to the white space a response begins with.
    public static func describe(_ response: String, limit: Int = 200) -> String {
        guard !response.isEmpty else { return "<empty response>" }
        let isBlank = response.isBlank
        let shown = response.prefix(max(0, limit))
        let ellipsis = shown.endIndex < response.endIndex ? "…" : ""
        let line = shown.unicodeScalars.map { visible($0, showsSpaces: isBlank) }.joined() + ellipsis
        return isBlank ? "<whitespace-only response: \(line)>" : line
    }

    private static func visible(_ scalar: Unicode.Scalar, showsSpaces: Bool) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case " ": showsSpaces ? "." : " "
        default:
            showsSpaces || isBreaking(scalar)
                ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
        }
    }

    /// Whether the character would not stay on the line.
    private static func isBreaking(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
