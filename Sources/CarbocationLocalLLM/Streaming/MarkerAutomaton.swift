/// Finds any of several markers in bytes that arrive one after the other (Aho–Corasick).
///
/// The caller keeps the state, which stands for the longest suffix of what was read that begins a marker. Reading a
/// byte takes constant amortised time, at most the length of the longest marker; memory is in proportion to the
/// markers' total length, so that hostile ones cost no more than they weigh.
package struct MarkerAutomaton: Sendable {
    /// A node of the markers' trie.
    package typealias State = Int32

    private struct Node {
        let byte: UInt8
        let depth: Int32
        var firstChild: State = 0
        var nextSibling: State = 0
        /// The node of the longest proper suffix that is in the trie.
        var failure: State = 0
        /// The marker that ends here, or -1.
        var marker: Int32 = -1
        /// The nearest node, from this one along the failures, at which a marker ends; 0 if there is none.
        var match: State = 0
        /// How much of the text up to here may still become a marker.
        var heldLength: Int32 = 0
    }

    /// The state before anything was read.
    package static let start: State = 0

    private var nodes: [Node] = [Node(byte: 0, depth: 0)]
    /// The root's children by byte: most bytes are looked up here and nowhere else.
    private var rootChildren = [State](repeating: 0, count: 256)

    /// Creates an automaton; empty markers never match, and of equal ones the first is reported.
    package init(markers: [String]) {
        for (index, marker) in markers.enumerated() where !marker.isEmpty {
            insert(marker, index: Int32(index))
        }
        link()
    }

    /// The state after reading `byte`.
    package func step(_ state: State, _ byte: UInt8) -> State {
        var state = state
        while state != Self.start {
            if let child = child(of: state, byte) { return child }
            state = nodes[Int(state)].failure
        }
        return rootChildren[Int(byte)]
    }

    /// The markers that end exactly at the state, longest first, until `body` returns true.
    ///
    /// - Returns: The index and length of the marker for which `body` returned true.
    package func firstMatch(at state: State, where body: (Int) -> Bool) -> (marker: Int, length: Int)? {
        var match = nodes[Int(state)].match
        while match != Self.start {
            let node = nodes[Int(match)]
            if body(Int(node.marker)) { return (Int(node.marker), Int(node.depth)) }
            match = nodes[Int(node.failure)].match
        }
        return nil
    }

    /// How many of the bytes read last may still become a marker: the longest suffix that is a marker's proper prefix.
    package func heldLength(at state: State) -> Int {
        Int(nodes[Int(state)].heldLength)
    }

    private func child(of state: State, _ byte: UInt8) -> State? {
        var child = nodes[Int(state)].firstChild
        while child != Self.start {
            if nodes[Int(child)].byte == byte { return child }
            child = nodes[Int(child)].nextSibling
        }
        return nil
    }

    private mutating func insert(_ marker: String, index: Int32) {
        var state = Self.start
        for byte in marker.utf8 {
            let existing = state == Self.start ? rootChildren[Int(byte)] : child(of: state, byte) ?? 0
            state = existing != 0 ? existing : addChild(of: state, byte)
        }
        if nodes[Int(state)].marker < 0 { nodes[Int(state)].marker = index }
    }

    private mutating func addChild(of parent: State, _ byte: UInt8) -> State {
        let child = State(nodes.count)
        var node = Node(byte: byte, depth: nodes[Int(parent)].depth + 1)
        node.nextSibling = nodes[Int(parent)].firstChild
        nodes.append(node)
        nodes[Int(parent)].firstChild = child
        if parent == Self.start { rootChildren[Int(byte)] = child }
        return child
    }

    /// Sets what depends on shorter suffixes, breadth first, because those are nearer to the root.
    private mutating func link() {
        var queue: [State] = [Self.start]
        var next = 0
        while next < queue.count {
            let parent = queue[next]
            next += 1
            var child = nodes[Int(parent)].firstChild
            while child != Self.start {
                if parent != Self.start {
                    nodes[Int(child)].failure = step(nodes[Int(parent)].failure, nodes[Int(child)].byte)
                }
                resolve(child)
                queue.append(child)
                child = nodes[Int(child)].nextSibling
            }
        }
    }

    private mutating func resolve(_ state: State) {
        var node = nodes[Int(state)]
        let shorter = nodes[Int(node.failure)]
        node.match = node.marker >= 0 ? state : shorter.match
        node.heldLength = node.firstChild != 0 ? node.depth : shorter.heldLength
        nodes[Int(state)] = node
    }
}
