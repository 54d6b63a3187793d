import Foundation
import TestSupport

@testable import CarbocationLlamaRuntime

/// A vocabulary of single bytes, some of their pairs and triples, and markers whose text can also be spelled.
struct ToyVocabulary: TokenVocabulary {
    struct Unspeakable: Error {}

    static let letters = Array("ab<>m".utf8)
    static let markers: [Token] = [0, 1, 2]

    private let texts: [[UInt8]]
    private let ids: [[UInt8]: Token]

    init() {
        // The last marker has no text, as tokens of padding.
        var texts: [[UInt8]] = [Array("<m>".utf8), Array("<ab>".utf8), []]
        texts += Self.letters.map { [$0] }
        for first in Self.letters { for second in Self.letters { texts.append([first, second]) } }
        for text in ["aba", "b<m", "<m>", "m>a", "aaa"] { texts.append(Array(text.utf8)) }
        self.texts = texts
        ids = Dictionary(
            texts.enumerated().dropFirst(3).map { ($0.element, Token($0.offset)) },
            uniquingKeysWith: { first, _ in first })
    }

    func promptBytes(of token: Token) -> [UInt8] {
        texts.indices.contains(Int(token)) ? texts[Int(token)] : []
    }

    func isOpaque(_ token: Token) -> Bool { token < 3 || !texts.indices.contains(Int(token)) }

    /// The longest tokens first, which is how this vocabulary cuts text.
    func plainTokens(of bytes: [UInt8]) -> [Token] {
        cut(bytes) { _ in 3 }
    }

    /// Any cut of the text that the vocabulary has.
    func randomTokens(of bytes: [UInt8], using generator: inout SeededGenerator) -> [Token] {
        cut(bytes) { _ in Int.random(in: 1...3, using: &generator) }
    }

    private func cut(_ bytes: [UInt8], longest: (Int) -> Int) -> [Token] {
        var tokens: [Token] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            var length = min(rest.count, longest(rest.startIndex))
            while length > 1 && ids[Array(rest.prefix(length))] == nil { length -= 1 }
            tokens.append(ids[Array(rest.prefix(length))] ?? -1)
            rest = rest.dropFirst(length)
        }
        return tokens
    }

    func bytes(of tokens: [Token]) -> [UInt8] { tokens.flatMap(promptBytes) }

    /// Where opaque tokens stand: the byte and the token.
    func opaquePlaces(in tokens: [Token]) -> [[Int]] {
        var offset = 0
        var places: [[Int]] = []
        for token in tokens {
            if isOpaque(token) { places.append([offset, Int(token)]) }
            offset += promptBytes(of: token).count
        }
        return places
    }
}
