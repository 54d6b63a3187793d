/// Which of several markers occur in a text, found in one pass over its bytes.
package struct MarkerOccurrences {
    private var found: Set<String> = []

    package init(of markers: [String], in text: String) {
        let automaton = MarkerAutomaton(markers: markers)
        var state = MarkerAutomaton.start
        for byte in text.utf8 {
            state = automaton.step(state, byte)
            _ = automaton.firstMatch(at: state) { marker in
                found.insert(markers[marker])
                return false
            }
        }
    }

    package func contains(_ marker: String) -> Bool { found.contains(marker) }
}
