import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Drafts from earlier tokens (SP-1)")
struct NgramDrafterTests {
    private func draft(_ tokens: [Token], count: Int = 4) -> [Token] {
        let drafter = NgramDrafter()
        return drafter.outlook(after: tokens) == nil ? [] : drafter.draft(after: tokens, count: count, in: 0)
    }

    @Test("what followed the last three tokens before is drafted; without such a place nothing is")
    func basic() {
        #expect(draft([1, 2, 3, 4, 5, 6, 7, 1, 2, 3]) == [4, 5, 6, 7])
        #expect(draft([1, 2, 3, 4, 5, 6, 9, 2, 3]) == [])
        #expect(draft([1, 2, 3]) == [])
        #expect(draft([]) == [])
    }

    @Test("the longest match wins, of equal ones the latest")
    func best() {
        #expect(draft([9, 1, 2, 3, 50, 8, 1, 2, 3, 60, 9, 1, 2, 3], count: 1) == [50])
        #expect(draft([8, 1, 2, 3, 50, 8, 1, 2, 3, 60, 7, 1, 2, 3], count: 1) == [60])
    }

    @Test("a period is drafted beyond the end of the tokens")
    func period() {
        #expect(draft([1, 2, 1, 2, 1, 2, 1], count: 5) == [2, 1, 2, 1, 2])
        #expect(draft([7, 7, 7, 7], count: 3) == [7, 7, 7])
    }

    @Test("longer matches are told apart from coincidences")
    func kinds() {
        let text = (1...20).map { Token($0) }
        for (length, kind) in [(3, DraftOutlook.Kind.shortMatch), (5, .match), (12, .longMatch), (18, .longMatch)] {
            let drafter = NgramDrafter()
            #expect(drafter.outlook(after: text + [99] + text.prefix(length))?.kind == kind)
        }
    }

    @Test("token by token gives what the whole list gives, and what a search through all of it gives")
    func incremental() {
        var generator = SeededGenerator(seed: 4)
        for alphabet in [2, 5, 40] {
            let tokens = (0..<400).map { _ in Token.random(in: 0..<Token(alphabet), using: &generator) }
            var index = NgramIndex()
            for count in 0...tokens.count {
                let text = Array(tokens.prefix(count))
                index.extend(to: text)
                var whole = NgramIndex()
                whole.extend(to: text)
                let match = index.match(in: text)
                #expect(match == whole.match(in: text))
                let found = Self.occurrences(text).contains(match?.next ?? -1)
                #expect(found == (match != nil))
                #expect((match == nil) == Self.occurrences(text).isEmpty)
            }
        }
    }

    /// All indices behind earlier occurrences of the last three tokens.
    private static func occurrences(_ tokens: [Token]) -> [Int] {
        guard tokens.count > 3 else { return [] }
        return (3..<tokens.count).filter { tokens[($0 - 3)..<$0].elementsEqual(tokens.suffix(3)) }
    }

    @Test("tokens beyond any vocabulary are compared, not trusted to their keys")
    func collisions() {
        let large = Token(1) << 21
        #expect(draft([large, 2, 3, 50, 0, 2, 3, 60, 9, large, 2, 3], count: 1) == [50])
        #expect(draft([-1, 2, 3, 50, -1, 2, 3], count: 1) == [50])
    }
}
