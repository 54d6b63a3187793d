/// A call in its envelope.
struct ScannedCall: Sendable, Hashable {
    /// The text with its markers.
    let raw: String
    /// The text that the format's decoder reads.
    let body: String
    let format: ToolCallBodyFormat
    /// Whether calls of undeclared tools are plain text here.
    let undeclaredIsText: Bool
    /// Whether the same holds for what cannot be read and names no tool.
    let namelessIsText: Bool
}
