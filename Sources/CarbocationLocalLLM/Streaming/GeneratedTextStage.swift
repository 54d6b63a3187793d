/// The bytes of tokens in, the raw text of the generation out: stop sequences first, then characters.
///
/// Stops are looked for before characters are assembled, because they are defined on the raw bytes: a stop that
/// contains U+FFFD must not match the replacement of a broken byte, and a token may end inside a character of a stop.
/// Nothing is lost by it. A stop starts with the first byte of a character, so what it holds back is never the end of
/// a character that was begun before; and it holds only a stop's proper prefix, so broken bytes are passed on, and
/// replaced, at once. Without stops each character comes out with the token that completed it.
package struct GeneratedTextStage: Sendable {
    private var filter: StopFilter
    private var assembler = UTF8Assembler()
    private var scratch: [UInt8] = []

    package init(stops: [String]) {
        filter = StopFilter(stops: stops)
    }

    /// The stop sequence that ended the text, once one did.
    package var matchedStop: String? { filter.matchedStop }

    /// Whether the bytes so far end with a whole character.
    package var isAtCharacterBoundary: Bool {
        // What may become a stop begins with a character of its own, so the last one lies wholly within.
        guard filter.held.isEmpty else { return UTF8Sequence.incompleteTailLength(of: filter.held) == 0 }
        return assembler.isAtCharacterBoundary
    }

    /// How many bytes were pushed whose text is not given out yet.
    package var heldByteCount: Int { filter.held.count + assembler.heldByteCount }

    /// The text that is held because it may become a stop.
    package var heldText: String { String(decoding: filter.held, as: UTF8.self) }

    /// See ``StopFilter/ignore(stopsEqualTo:)``.
    package mutating func ignore(stopsEqualTo markers: [String]) {
        filter.ignore(stopsEqualTo: markers)
    }

    /// Adds the bytes of a token and returns the text that is now certain; with a stop, all text before it.
    package mutating func push(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard !filter.stops.isEmpty else { return assembler.push(bytes) }
        guard matchedStop == nil else { return "" }
        filter.push(bytes, into: &scratch)
        return matchedStop == nil ? drainScratch() : drainScratch() + assembler.finish()
    }

    /// Adds the bytes of a token and returns the text that is now certain; with a stop, all text before it.
    package mutating func push(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBufferPointer { push($0) }
    }

    /// Adds text, as a token would bring it.
    package mutating func push(text: String) -> String {
        var text = text
        return text.withUTF8 { push($0) }
    }

    /// Ends the tokens and returns the text that was held.
    package mutating func finish() -> String {
        filter.finish(into: &scratch)
        return drainScratch() + assembler.finish()
    }

    private mutating func drainScratch() -> String {
        defer { scratch.removeAll(keepingCapacity: true) }
        return scratch.withUnsafeBufferPointer { assembler.push($0) }
    }
}
