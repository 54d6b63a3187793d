import Testing

@testable import CLLMCommands

@Suite struct SpreadTests {
    @Test(
        "median, least and most",
        arguments: [
            ([3], [3, 3, 3]), ([4, 1], [2.5, 1, 4]), ([9, 1, 2], [2, 1, 9]), ([4, 1, 3, 2], [2.5, 1, 4]),
        ] as [([Double], [Double])])
    func spread(values: [Double], expected: [Double]) throws {
        let spread = try #require(Spread(values))
        #expect([spread.median, spread.least, spread.most] == expected)
    }

    @Test("nothing has no spread")
    func empty() {
        #expect(Spread([]) == nil)
    }
}
