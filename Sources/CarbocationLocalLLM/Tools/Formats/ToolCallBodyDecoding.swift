/// What a decoder made of one call's text.
package typealias ToolCallDecodingResult = Result<DecodedToolCall, ToolCallDecodingFailure>

/// A decoder of one way to write calls.
package protocol ToolCallBodyDecoding: Sendable {
    /// Decodes what stands between an opener and its closer.
    ///
    /// Takes time in proportion to the body's length. A body without anything in it gives no result.
    ///
    /// - Parameter body: The complete text, without the markers around it. What was cut off by the end of the output
    ///   is not for a decoder: in some syntaxes it cannot be told from a call with fewer arguments.
    /// - Returns: The calls and the failures, in the order of the text.
    func decode(_ body: Substring) -> [ToolCallDecodingResult]
}
