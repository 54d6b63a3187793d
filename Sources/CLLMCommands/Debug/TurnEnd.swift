import CarbocationLocalLLM

/// The texts that stand for the end of a turn behind a reply.
///
/// A vocabulary has a token for each, at which a generation ends. Without one they are told from text by their place:
/// those that end the output end the turn, and anywhere else they are text.
struct TurnEnd {
    private let texts: [[UInt8]]

    init(texts: [String]) {
        self.texts = texts.map { Array($0.utf8) }.filter { !$0.isEmpty }
    }

    /// The output up to the ends of the turn with which it ends, and the white space behind each.
    ///
    /// Takes time in proportion to what is removed.
    func removed(from output: [UInt8]) -> [UInt8] {
        var rest = output[...]
        while let shorter = withoutLastEnd(rest) { rest = shorter }
        return Array(rest)
    }

    private func withoutLastEnd(_ output: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let whiteSpace = Array(" \t\r\n".utf8)
        guard let last = output.lastIndex(where: { !whiteSpace.contains($0) }) else { return nil }
        let written = output[...last]
        let end = texts.filter { written.suffix($0.count).elementsEqual($0) }.max { $0.count < $1.count }
        return end.map { written.dropLast($0.count) }
    }
}
