/// Reads values from responses that only contain JSON: with thinking, prose and code fences around it.
///
/// For models that cannot be bound to a grammar. It finds the JSON and mends raw line breaks in its strings; it does
/// not guess at JSON that is broken otherwise, such as cut off or with trailing commas.
public enum JSONSalvage {
    /// Why a response gave no value.
    public enum Failure: Error, Sendable, Equatable {
        /// Nothing in the response decodes as the type; says what is wrong with the first thing that was tried.
        case decodingFailed(String)
    }

    /// Decodes a value from the JSON in a response.
    ///
    /// Thinking is dropped. Then the fenced blocks that contain a `{` are tried, the last one first, and after them the
    /// whole text. In each of them the value is chosen as by ``BalancedJSONScanner``; if it does not decode, the other
    /// objects are, from the end. When the response ends within a value of its last block, it is cut off and fails.
    ///
    /// - Parameters:
    ///   - type: The type to decode, with ``LocalLLMJSON/makeDecoder()``.
    ///   - response: The whole response.
    ///   - profile: How the model marks its thinking; the empty profile drops none.
    /// - Returns: The value.
    /// - Throws: ``Failure``.
    public static func decode<T: Decodable>(
        _ type: T.Type,
        from response: String,
        using profile: OutputSanitizationProfile = .empty
    ) throws -> T {
        let text = LLMResponseSanitizer.unwrapStructuredOutput(response, using: profile)
        guard !text.isBlank else {
            throw Failure.decodingFailed("Response was empty: \(LLMResponsePreview.describe(response))")
        }
        var problem: String?
        for part in parts(of: text[...]) {
            let source = JSONSource(part.text)
            do {
                if let value = try source.decode(type) { return value }
            } catch {
                problem = problem ?? LocalLLMJSON.problem(of: error)
            }
            if part.endsOpen, source.isCutOff {
                problem = "the JSON is cut off"
                break
            }
        }
        let preview = LLMResponsePreview.describe(text)
        throw Failure.decodingFailed("\(problem ?? "there is no complete JSON value"), in: \(preview)")
    }

    /// The part of a response that holds its JSON, without decoding it.
    ///
    /// - Parameters:
    ///   - response: The whole response.
    ///   - profile: How the model marks its thinking; the empty profile drops none.
    /// - Returns: The last fenced block that contains a `{`, else the whole response, without thinking and without
    ///   white space around it.
    public static func unwrapResponse(
        _ response: String, using profile: OutputSanitizationProfile = .empty
    ) -> String {
        let text = LLMResponseSanitizer.unwrapStructuredOutput(response, using: profile)
        return (parts(of: text[...]).first?.text ?? text[...]).trimmingWhiteSpace()
    }

    private struct Part {
        let text: Substring
        /// Whether it is a block that is never closed.
        let endsOpen: Bool
    }

    /// What to look into, in this order.
    private static func parts(of text: Substring) -> [Part] {
        let blocks = FencedBlocks(text)
        let last = blocks.contents.count - 1
        let parts = blocks.contents.enumerated().reversed().map { index, content in
            Part(text: content, endsOpen: blocks.endsOpen && index == last)
        }
        return parts.filter { $0.text.utf8.contains(UInt8(ascii: "{")) } + [Part(text: text, endsOpen: false)]
    }
}
