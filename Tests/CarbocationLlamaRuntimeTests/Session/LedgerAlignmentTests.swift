import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Tokens that are kept for text that is rendered again")
struct LedgerAlignmentTests {
    private let vocabulary = ToyVocabulary()

    private func tokens(_ parts: [String], longest: Bool = true) -> [Token] {
        parts.flatMap { part -> [Token] in
            if part == "[m]" { return [0] }
            if part == "[ab]" { return [1] }
            let bytes = Array(part.utf8)
            return longest ? vocabulary.plainTokens(of: bytes) : bytes.flatMap { vocabulary.plainTokens(of: [$0]) }
        }
    }

    private func aligned(_ fresh: [Token], _ ledger: [Token]) -> [Token] {
        LedgerAlignment.tokens(for: fresh, ledger: ledger, vocabulary: vocabulary)
    }

    @Test("SE-3: sampled tokens stay where their text comes again, up to a control token and through it")
    func kept() {
        let sampled = tokens(["[m]", "ab"]) + tokens(["ababaaa"], longest: false)
        let fresh = tokens(["[m]", "ab", "ababaaa", "[ab]", "bab", "[m]"])
        // The template's text and the reply are cut together when they are rendered again.
        let joined = tokens(["[m]", "abababaaa", "[ab]", "bab", "[m]"])
        let expected = sampled + tokens(["[ab]", "bab", "[m]"])
        #expect(aligned(fresh, sampled) == expected)
        #expect(aligned(joined, sampled) == expected)
        #expect(aligned(joined, sampled + [1]) == expected)
        #expect(aligned(fresh, []) == fresh)
    }

    @Test("SE-3: a dropped or changed text ends what is kept at the last place where tokens of both end")
    func diverging() {
        let sampled = tokens(["[m]"]) + tokens(["abab"], longest: false)
        let changed = tokens(["[m]", "ab", "mab", "[ab]"])
        #expect(aligned(changed, sampled) == [0] + tokens(["ab"], longest: false) + tokens(["mab", "[ab]"]))
        // One fresh token stands for what was kept and what changed.
        let spanning = tokens(["[m]", "b<m", "[ab]"])
        #expect(spanning.count == 3)
        #expect(aligned(spanning, tokens(["[m]"]) + tokens(["b<a"], longest: false)) == spanning)
        let shorter = tokens(["[m]", "ab", "[ab]", "b"])
        #expect(aligned(shorter, sampled) == [0] + tokens(["ab"], longest: false) + tokens(["[ab]", "b"]))
        #expect(aligned(tokens(["[ab]", "abab"]), sampled) == tokens(["[ab]", "abab"]))
    }

    @Test("PT-5: the text of a control token never becomes one, and a control token never becomes text")
    func injection() {
        let spelled = tokens(["[m]", "a<m>b", "[ab]"])
        let control = tokens(["[m]", "a", "[m]", "b"])
        #expect(aligned(spelled, control).filter(vocabulary.isOpaque) == [0, 1])
        #expect(aligned(control + [1], spelled).filter(vocabulary.isOpaque) == [0, 0, 1])
        // Tokens without a text, and ids that the vocabulary does not have.
        for odd: Token in [2, -1, 9999] {
            let ledger = tokens(["[m]", "a"]) + [odd] + tokens(["b"])
            #expect(aligned(tokens(["[m]", "ab", "[ab]"]), ledger) == tokens(["[m]", "ab", "[ab]"]))
        }
    }

    @Test("SE-3: where plain text ends a reply, the reply keeps its tokens and the rest is cut anew")
    func joined() {
        let sampled = tokens(["[m]"]) + tokens(["ab"], longest: false)
        let fresh = tokens(["[m]", "aba<>b", "[ab]", "a"])
        let result = aligned(fresh, sampled)
        #expect(Array(result.prefix(3)) == sampled)
        #expect(vocabulary.bytes(of: result) == vocabulary.bytes(of: fresh))
    }

    @Test("whatever is known, the result has the bytes and the control tokens of a fresh cut", arguments: 0..<40)
    func properties(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var keptTokens = 0
        for _ in 0..<250 {
            let (fresh, ledger) = randomCase(using: &generator)
            let result = aligned(fresh, ledger)
            #expect(vocabulary.bytes(of: result) == vocabulary.bytes(of: fresh))
            #expect(vocabulary.opaquePlaces(in: result) == vocabulary.opaquePlaces(in: fresh))
            // Nothing that both begin with gets lost.
            let common = PrefixPlan(cached: ledger, tokens: fresh).common
            #expect(PrefixPlan(cached: ledger, tokens: result).common >= common)
            keptTokens += PrefixPlan(cached: ledger, tokens: result).common - common
        }
        #expect(keptTokens > 250)
    }

    @Test("a ledger whose text is all rendered again is kept to its end", arguments: 0..<20)
    func wholeLedger(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed) &+ 1000)
        for _ in 0..<250 {
            var fresh: [Token] = []
            var ledger: [Token] = []
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let text = randomText(using: &generator)
                let marker = ToyVocabulary.markers.randomElement(using: &generator) ?? 0
                fresh += vocabulary.plainTokens(of: text) + [marker]
                ledger += vocabulary.randomTokens(of: text, using: &generator) + [marker]
            }
            let more = fresh + vocabulary.plainTokens(of: randomText(using: &generator))
            #expect(Array(aligned(more, ledger).prefix(ledger.count)) == ledger)
            #expect(Array(aligned(more, ledger.dropLast()).prefix(ledger.count - 1)) == ledger.dropLast())
        }
    }

    private func randomText(using generator: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...8, using: &generator)).map { _ in
            ToyVocabulary.letters.randomElement(using: &generator) ?? 0
        }
    }

    /// A prompt, and tokens that are mostly another cut of its beginning.
    private func randomCase(using generator: inout SeededGenerator) -> (fresh: [Token], ledger: [Token]) {
        var fresh: [Token] = []
        var ledger: [Token] = []
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            var text = randomText(using: &generator)
            let marker = ToyVocabulary.markers.randomElement(using: &generator) ?? 0
            fresh += vocabulary.plainTokens(of: text) + [marker]
            switch Int.random(in: 0..<12, using: &generator) {
            case 0 where !text.isEmpty: text[Int.random(in: 0..<text.count, using: &generator)] = 97
            case 1: text += Array("<m>".utf8)
            case 2: ledger += [.random(in: -2...60, using: &generator)]
            default: break
            }
            ledger += vocabulary.randomTokens(of: text, using: &generator)
            ledger += Bool.random(using: &generator) ? [marker] : vocabulary.plainTokens(of: [])
            if ledger.last != marker && Int.random(in: 0..<3, using: &generator) > 0 { ledger.append(marker) }
        }
        return (fresh, Array(ledger.prefix(Int.random(in: 0...ledger.count, using: &generator))))
    }
}
