extension String {
    /// The text without spaces, tabs and line breaks around it.
    var trimmed: String {
        let bytes = Array(utf8)
        return ByteCursor(bytes).trimmedText(bytes.indices)
    }
}
