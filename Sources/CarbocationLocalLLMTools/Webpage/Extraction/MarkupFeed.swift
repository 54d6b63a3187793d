/// Feeds a page to the parser in a form that it can read in a time in proportion to the page's length.
///
/// The parser compares each tag with all open elements and each attribute with all others of its tag. So attributes are
/// left away, apart from a mark for what is hidden, and elements within too many others are not opened: their text is
/// kept.
struct MarkupFeed {
    /// How many elements may be open; browsers allow about twice as many.
    private static let maximumDepth = 256
    private static let batchSize = 16 << 10

    private let bytes: UnsafeBufferPointer<UInt8>
    private let parser: MarkupParser
    private let builder: ReadableTextBuilder
    private var batch: [UInt8] = []

    /// The elements that were opened since the parser was fed last.
    private var opened = 0
    /// The elements that were not opened, and the first of them that is hidden.
    private var unopened = 0
    private var firstHidden: Int?
    /// How many elements of each name were begun and not ended outside of what is skipped.
    private var begun: [String: Int] = [:]
    private var skipped: SkippedElement?
    private var isCancelled = false

    init(_ bytes: UnsafeBufferPointer<UInt8>, parser: MarkupParser, builder: ReadableTextBuilder) {
        self.bytes = bytes
        self.parser = parser
        self.builder = builder
        // Elements in which all others are, so that nothing can end the document early.
        batch += "<html><body>".utf8
    }

    /// Feeds all of the page, or as much as the builder wants.
    mutating func run() {
        var scanner = MarkupScanner(bytes)
        while !builder.isFull, !isCancelled, let token = scanner.next() {
            switch token {
            case .text(let range): append(text: range)
            case .start(let tag): open(tag)
            case .end(let name): close(name)
            }
        }
        flush()
        parser.finish()
    }

    private mutating func open(_ tag: MarkupTag) {
        guard !tag.name.isEmpty, !MarkupElement.passedOver.contains(tag.name) else { return }
        let isHidden = tag.isHidden(in: bytes)
        let isVoid = tag.isSelfClosing || MarkupElement.void.contains(tag.name)
        guard skipped == nil else {
            if !isVoid { skipped?.begin(tag.name) }
            return
        }
        if !isVoid, isHidden || MarkupElement.dropped.contains(tag.name), !MarkupElement.endless.contains(tag.name) {
            separate(tag.name)
            skipped = SkippedElement(name: tag.name)
            return
        }
        if !isVoid { begun[tag.name, default: 0] += 1 }
        if !isVoid, unopened > 0 || isTooDeep() {
            unopened += 1
            if firstHidden == nil, isHidden || MarkupElement.dropped.contains(tag.name) { firstHidden = unopened }
            separate(tag.name)
            return
        }
        guard firstHidden == nil else { return }
        batch += "<\(tag.name)\(isHidden ? " hidden=\"\"" : "")\(isVoid ? "/" : "")>".utf8
        if !isVoid { opened += 1 }
        flushIfDue()
    }

    private mutating func close(_ name: String) {
        guard !MarkupElement.passedOver.contains(name), !endSkipped(name) else { return }
        if let count = begun[name], count > 0 { begun[name] = count - 1 }
        if name == "br" {
            batch += "<br/>".utf8
        } else if unopened > 0 {
            if firstHidden == unopened { firstHidden = nil }
            unopened -= 1
            separate(name)
        } else if !MarkupElement.void.contains(name) {
            batch += "</\(name)>".utf8
        }
        flushIfDue()
    }

    /// Whether an end tag belongs to what is skipped, which it may end.
    private mutating func endSkipped(_ name: String) -> Bool {
        guard let element = skipped else { return false }
        let isOutside = begun[name, default: 0] > 0
        switch skipped?.end(name, isBegunOutside: isOutside) {
        case .within, nil: return true
        case .itself:
            skipped = nil
            separate(element.name)
            return true
        case .outer:
            skipped = nil
            separate(element.name)
            return false
        }
    }

    /// Begins a line where an element would that was not opened.
    private mutating func separate(_ name: String) {
        guard firstHidden == nil else { return }
        batch += (MarkupElement.blocks.contains(name) ? "<br/>" : MarkupElement.cells.contains(name) ? " " : "").utf8
        flushIfDue()
    }

    private mutating func append(text range: Range<Int>) {
        guard firstHidden == nil, skipped == nil else { return }
        var start = range.lowerBound
        for index in range {
            let byte = bytes[index]
            // Most bytes are passed on as they are.
            if byte >= 0x20, byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&") { continue }
            guard let replacement = replacement(of: byte, before: index + 1..<range.upperBound) else { continue }
            batch.append(contentsOf: bytes[start..<index])
            batch += replacement.utf8
            start = index + 1
        }
        batch.append(contentsOf: bytes[start..<range.upperBound])
        flushIfDue()
    }

    /// What a byte of text must be written as; nil for itself.
    private func replacement(of byte: UInt8, before rest: Range<Int>) -> String? {
        switch byte {
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: "&"): beginsReference(rest) ? nil : "&amp;"
        // The parser knows no other control characters, and would end at a zero.
        case 0x00...0x08, 0x0E...0x1F: ""
        case 0x0B, 0x0C: " "
        default: nil
        }
    }

    /// Whether what follows a `&` makes it more than a character.
    ///
    /// The parser drops what looks like half a number.
    private func beginsReference(_ range: Range<Int>) -> Bool {
        let rest = bytes[range].prefix(3)
        guard rest.first == UInt8(ascii: "#") else { return true }
        let digits = rest.dropFirst()
        guard digits.first.map({ $0 | 0x20 }) == UInt8(ascii: "x") else {
            return digits.first.map { (0x30...0x39).contains($0) } ?? false
        }
        return digits.dropFirst().first.map { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) } ?? false
    }

    private mutating func isTooDeep() -> Bool {
        guard builder.depth + opened >= Self.maximumDepth else { return false }
        flush()
        return builder.depth >= Self.maximumDepth
    }

    private mutating func flushIfDue() {
        if batch.count >= Self.batchSize { flush() }
    }

    private mutating func flush() {
        guard !batch.isEmpty else { return }
        isCancelled = Task.isCancelled
        parser.feed(batch)
        batch.removeAll(keepingCapacity: true)
        opened = 0
    }
}
