import CarbocationLocalLLM
import Testing

@Suite("MarkerAutomaton")
struct MarkerAutomatonTests {
    private func state(of automaton: MarkerAutomaton, after text: String) -> MarkerAutomaton.State {
        text.utf8.reduce(MarkerAutomaton.start) { automaton.step($0, $1) }
    }

    @Test("gives the markers that end here, longest first")
    func matches() {
        let automaton = MarkerAutomaton(markers: ["d", "bcd", "abcd", "cd", "x"])
        var seen: [Int] = []
        let none = automaton.firstMatch(at: state(of: automaton, after: "zabcd")) { marker in
            seen.append(marker)
            return false
        }
        #expect(none == nil)
        #expect(seen == [2, 1, 3, 0])
        let second = automaton.firstMatch(at: state(of: automaton, after: "zabcd")) { $0 != 2 }
        #expect(second?.marker == 1)
        #expect(second?.length == 3)
    }

    @Test("of equal markers the first is reported, empty ones never")
    func equalAndEmpty() {
        let automaton = MarkerAutomaton(markers: ["", "ab", "ab"])
        #expect(automaton.firstMatch(at: state(of: automaton, after: "ab")) { _ in true }?.marker == 1)
        #expect(automaton.firstMatch(at: MarkerAutomaton.start) { _ in true } == nil)
    }

    @Test(
        "holds what may still become a marker",
        arguments: [
            ("", 0), ("x", 0), ("a", 1), ("ab", 2), ("abx", 0), ("abc", 2), ("abca", 1), ("bc", 2), ("bcab", 2),
            ("zzzbc", 2), ("bcd", 0),
        ])
    func heldLength(text: String, expected: Int) {
        let automaton = MarkerAutomaton(markers: ["abc", "bcd"])
        #expect(automaton.heldLength(at: state(of: automaton, after: text)) == expected)
    }

    @Test("without markers nothing is held and nothing matches")
    func noMarkers() {
        let automaton = MarkerAutomaton(markers: [])
        let end = state(of: automaton, after: "anything")
        #expect(end == MarkerAutomaton.start)
        #expect(automaton.heldLength(at: end) == 0)
    }
}
