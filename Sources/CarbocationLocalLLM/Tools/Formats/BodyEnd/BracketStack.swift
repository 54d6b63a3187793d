/// The brackets that are open.
///
/// A closing bracket closes what was opened since its own opening one, and nothing if there is none.
struct BracketStack {
    /// How many brackets may be open; deeper text never ends.
    static let maximumDepth = JSONParser.maximumDepth

    private var closers: [UInt8] = []
    /// How many of each kind are open, so that a stray bracket costs no search.
    private var counts = (round: 0, square: 0, curly: 0)

    var isEmpty: Bool { closers.isEmpty }
    var depth: Int { closers.count }

    /// Opens a bracket; false beyond the greatest depth.
    mutating func open(_ opener: UInt8) -> Bool {
        guard closers.count < Self.maximumDepth else { return false }
        // In ASCII each pair is one or two apart.
        let closer = opener == UInt8(ascii: "(") ? opener + 1 : opener + 2
        closers.append(closer)
        count(closer, by: 1)
        return true
    }

    mutating func close(_ closer: UInt8) {
        guard isOpen(closer) else { return }
        while let last = closers.popLast() {
            count(last, by: -1)
            if last == closer { return }
        }
    }

    private func isOpen(_ closer: UInt8) -> Bool {
        switch closer {
        case UInt8(ascii: ")"): counts.round > 0
        case UInt8(ascii: "]"): counts.square > 0
        default: counts.curly > 0
        }
    }

    private mutating func count(_ closer: UInt8, by difference: Int) {
        switch closer {
        case UInt8(ascii: ")"): counts.round += difference
        case UInt8(ascii: "]"): counts.square += difference
        default: counts.curly += difference
        }
    }
}
