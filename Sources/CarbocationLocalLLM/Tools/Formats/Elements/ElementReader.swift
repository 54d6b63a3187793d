/// Reads calls as elements within elements; see ``ElementCallDecoder``.
struct ElementReader {
    /// One call, up to its end or to where it stops being one.
    struct Call {
        var name: String?
        var root = CallElement(name: "")
        var problem: String?
    }

    /// How deep elements may stand within each other.
    private static let maximumDepth = 128
    private static let maximumTagLength = 256
    private static let invocation: Marker = "<invoke name=\""
    private static let invocationEnd: Marker = "</invoke>"

    private var cursor: ByteCursor
    private let namespace: Marker

    init(_ cursor: ByteCursor, namespace: Marker) {
        self.cursor = cursor
        self.namespace = namespace
    }

    /// Reads the next call; nil if none follows.
    mutating func next() -> Call? {
        cursor.skipWhiteSpace()
        guard !cursor.isAtEnd else { return nil }
        var call = Call()
        _ = cursor.skip(namespace)
        guard cursor.skip(Self.invocation), let name = takeTag(before: UInt8(ascii: "\"")),
            cursor.skip(UInt8(ascii: ">"))
        else {
            cursor.position = cursor.end
            call.problem = "the call names no tool"
            return call
        }
        call.name = name.trimmed
        read(into: &call)
        // After a call that is open to doubt, what follows may be a part of it.
        if call.problem != nil { cursor.position = cursor.end }
        return call
    }

    private mutating func read(into call: inout Call) {
        var open = [call.root]
        while true {
            let text = takeText()
            guard cursor.skip(namespace) else { return call.problem = "the call has no end" }
            let isLeaf = cursor.isNext("</") && open.count > 1 && open[open.count - 1].children.isEmpty
            guard isLeaf || text.trimmed.isEmpty else { return call.problem = "text stands beside a tag" }
            if cursor.skip(Self.invocationEnd) {
                if open.count > 1 { call.problem = "the parameter \(open[1].name) has no end" }
                return call.root = open[0]
            }
            guard cursor.skip(UInt8(ascii: "<")) else { return call.problem = "a tag is malformed" }
            let isClosing = cursor.skip(UInt8(ascii: "/"))
            guard let name = takeTag(before: UInt8(ascii: ">")) else { return call.problem = "a tag is malformed" }
            if isClosing {
                guard open.count > 1, close(name, text, in: &open) else {
                    return call.problem = "the end of \(name) stands where something else is open"
                }
            } else {
                guard open.count <= Self.maximumDepth else { return call.problem = "the arguments are nested too deep" }
                open.append(CallElement(name: name))
            }
        }
    }

    /// Closes the innermost element; false if it has another name.
    private func close(_ name: String, _ text: String, in open: inout [CallElement]) -> Bool {
        guard var element = open.popLast(), element.name == name, !open.isEmpty else { return false }
        if element.children.isEmpty { element.text = text }
        open[open.count - 1].children.append(element)
        return true
    }

    /// Reads up to the next tag.
    private mutating func takeText() -> String {
        let start = cursor.position
        while !cursor.isAtEnd, !cursor.isNext(namespace) { cursor.position += 1 }
        return cursor.text(start..<cursor.position)
    }

    /// Reads the rest of a tag up to `end` and steps over that; nil if it is not near.
    private mutating func takeTag(before end: UInt8) -> String? {
        let range = cursor.take { $0 != end && $0 != 0x0A && $0 != UInt8(ascii: "<") }
        guard !range.isEmpty, range.count <= Self.maximumTagLength, cursor.skip(end) else { return nil }
        return cursor.text(range)
    }
}
