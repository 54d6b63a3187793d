/// A first-in, first-out queue with constant amortised cost at both ends.
struct FIFO<Element> {
    private var elements: [Element?] = []
    private var head = 0

    /// Below this many consumed slots the array is not worth moving.
    private static var compactionThreshold: Int { 64 }

    var isEmpty: Bool { head == elements.count }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: elements.count <= Self.compactionThreshold)
            head = 0
        } else if head > Self.compactionThreshold, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}

extension FIFO: Sendable where Element: Sendable {}
