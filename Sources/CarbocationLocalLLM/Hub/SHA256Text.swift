/// A SHA-256 as it stands in listings and headers.
package enum SHA256Text {
    /// The 64 digits in lower case; nil for anything that is no SHA-256, such as a commit id.
    ///
    /// Quotes, a weak mark `W/` and `sha256:` in front are taken off.
    package static func normalized(_ text: String) -> String? {
        var digits = text[...]
        if digits.hasPrefix("W/") { digits = digits.dropFirst(2) }
        if digits.hasPrefix("\""), digits.hasSuffix("\""), digits.count >= 2 { digits = digits.dropFirst().dropLast() }
        if digits.hasPrefix("sha256:") { digits = digits.dropFirst(7) }
        guard digits.utf8.count == 64, digits.utf8.allSatisfy(HuggingFaceRepository.isHexDigit) else { return nil }
        return digits.lowercased()
    }
}
