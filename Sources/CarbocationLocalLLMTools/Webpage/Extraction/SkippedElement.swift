/// A dropped or hidden element while its end is awaited, which only its own end tag and those of outer elements are.
///
/// Elements within it may lack their ends, and must not take those of others.
struct SkippedElement {
    /// Where an end tag belongs.
    enum End {
        case within, itself, outer
    }

    /// Elements whose content cannot end what is around them.
    private static let sealed: Set<String> = ["canvas", "noscript", "svg", "template"]

    let name: String
    /// How many elements of each name are open, with the skipped one.
    private var open: [String: Int]

    init(name: String) {
        self.name = name
        open = [name: 1]
    }

    /// An element begins within.
    mutating func begin(_ name: String) {
        open[name, default: 0] += 1
    }

    /// An end tag comes.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - isBegunOutside: Whether an element of that name is open around the skipped one.
    /// - Returns: What it ends.
    mutating func end(_ name: String, isBegunOutside: Bool) -> End {
        let count = open[name, default: 0]
        if count > 0 {
            open[name] = count - 1
            return name == self.name && count == 1 ? .itself : .within
        }
        return isBegunOutside && !Self.sealed.contains(self.name) ? .outer : .within
    }
}
