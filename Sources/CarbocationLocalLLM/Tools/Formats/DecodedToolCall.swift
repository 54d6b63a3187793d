/// A call as the model wrote it, before its name and arguments were held against the declared tools.
package struct DecodedToolCall: Sendable, Hashable {
    /// The id that the model wrote, whole; nil if there was none or only white space.
    package var rawID: String?
    /// The name, never empty, as it was written: see ``resolvedName(_:among:)``.
    package var name: String
    /// The arguments as they were found.
    package var arguments: ArgumentsText

    package init(rawID: String? = nil, name: String, arguments: ArgumentsText) {
        self.rawID = rawID
        self.name = name
        self.arguments = arguments
    }
}
