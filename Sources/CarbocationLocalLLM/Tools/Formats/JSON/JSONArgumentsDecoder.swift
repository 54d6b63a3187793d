/// Decodes arguments in JSON for a call whose name is known from elsewhere, such as a message's header.
package struct JSONArgumentsDecoder: Sendable {
    package init() {}

    /// Decodes the arguments; a blank text means that there are none.
    ///
    /// - Parameters:
    ///   - text: The whole arguments.
    ///   - name: The name of the tool that is called.
    ///   - rawID: The call's id, if it has one.
    /// - Returns: The call, or a failure with the name and id.
    package func decode(_ text: Substring, name: String, rawID: String? = nil) -> ToolCallDecodingResult {
        let bytes = Array(text.utf8)
        guard !bytes.allSatisfy(\.isSpacing) else {
            return DecodedToolCall.decoded(name: name, rawID: rawID, arguments: nil)
        }
        guard let value = JSONText.value(bytes, bytes.indices, isStrict: true) else {
            return .failure(.malformed(name: name, rawID: rawID, reason: "the arguments are no valid JSON"))
        }
        return DecodedToolCall.decoded(name: name, rawID: rawID, arguments: value)
    }
}
