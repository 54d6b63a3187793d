/// Ends output at the first stop sequence, and holds back just what may still become one.
///
/// Works on bytes. The stop that is complete first wins; of several that are complete with the same byte, the one that
/// starts first. What precedes it is output, it and what follows is not.
package struct StopFilter: Sendable {
    /// The stop sequences that are looked for.
    package let stops: [String]
    /// The one that ended the output, once it did.
    package private(set) var matchedStop: String?
    /// The bytes that may still become one.
    package private(set) var held: [UInt8] = []

    private let automaton: MarkerAutomaton
    private var state = MarkerAutomaton.start
    private var isIgnored: [Bool]

    /// Creates a filter; empty stops never match.
    package init(stops: [String]) {
        self.stops = stops
        automaton = MarkerAutomaton(markers: stops)
        isIgnored = Array(repeating: false, count: stops.count)
    }

    /// The stops of a generation: the request's in their order, then the template's, without repeated and empty ones.
    ///
    /// Compared by bytes, as they are matched, and not by Unicode equivalence.
    package static func effectiveStops(requested: [String], template: [String]) -> [String] {
        var seen: Set<[UInt8]> = [[]]
        return (requested + template).filter { seen.insert(Array($0.utf8)).inserted }
    }

    /// Lets stops equal to one of `markers` pass from now on, and no others.
    ///
    /// For the markers that end thinking while they are awaited. Whether one is awaited is only known once the text
    /// before it was looked at, so where stops and markers have texts in common, push byte by byte.
    package mutating func ignore(stopsEqualTo markers: [String]) {
        let ignored = Set(markers.map { Array($0.utf8) })
        isIgnored = stops.map { ignored.contains(Array($0.utf8)) }
    }

    /// Adds bytes and appends those that are now certain to `output`.
    ///
    /// After a match further bytes are dropped.
    package mutating func push(_ bytes: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
        guard matchedStop == nil else { return }
        output.append(contentsOf: held)
        held.removeAll(keepingCapacity: true)
        for (offset, byte) in bytes.enumerated() {
            state = automaton.step(state, byte)
            guard let match = automaton.firstMatch(at: state, where: { !isIgnored[$0] }) else { continue }
            output.append(contentsOf: bytes[...offset])
            output.removeLast(match.length)
            matchedStop = stops[match.marker]
            return
        }
        output.append(contentsOf: bytes)
        let pending = automaton.heldLength(at: state)
        held.append(contentsOf: output.suffix(pending))
        output.removeLast(pending)
    }

    /// Ends the bytes and appends what was held to `output`.
    package mutating func finish(into output: inout [UInt8]) {
        output.append(contentsOf: held)
        held.removeAll(keepingCapacity: true)
        state = MarkerAutomaton.start
    }

    /// Adds bytes and returns those that are now certain.
    package mutating func push(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        bytes.withUnsafeBufferPointer { push($0, into: &output) }
        return output
    }

    /// Ends the bytes and returns what was held.
    package mutating func finish() -> [UInt8] {
        var output: [UInt8] = []
        finish(into: &output)
        return output
    }
}
