/// The two markers around one kind of model output, such as `<think>` and `</think>`.
public struct OutputDelimiterPair: Codable, Sendable, Hashable {
    /// The text that opens a block.
    public var open: String
    /// The text that closes it; a pair without one is ignored.
    public var close: String

    /// Creates a pair of markers.
    public init(open: String, close: String) {
        self.open = open
        self.close = close
    }
}
