/// Why a call's text gives no call.
package enum ToolCallDecodingFailure: Error, Sendable, Hashable {
    /// The text is cut off, malformed or open to doubt; nothing of it may run.
    ///
    /// The name and the id are there if they could be read, the reason is a phrase for the model.
    case malformed(name: String?, rawID: String?, reason: String)
}
