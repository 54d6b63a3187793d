/// Divides the text of one phase into text and calls.
///
/// Text comes out as soon as it is certain; held back is only what may still become an opener, and calls until they are
/// complete. All pieces together are the whole text, in order, whatever the chunks it came in. Every byte is read a
/// bounded number of times.
struct ToolCallScanner: Sendable {
    /// A call whose end was not read yet.
    private struct PendingCall {
        /// Where its first marker begins, and where what the scanner reads does.
        let start: Int
        let bodyStart: Int
        /// The envelope; nil for calls without markers.
        let envelope: ToolCallEnvelope?
        var scanner: any CallBodyScanning
    }

    private enum Mode {
        case text
        /// Behind a call, where only fillers and further calls are expected.
        case afterCall
        /// Behind the marker of a section.
        case section(Range<Int>)
        case call(PendingCall)
    }

    private let syntax: ToolCallSyntax
    private let names: Set<String>
    private let textMarkers: CallMarkers
    private let fillerMarkers: CallMarkers
    private let bareRules: PlainCallScanner.Rules?

    private var mode = Mode.text
    private var window = TextWindow()
    /// The place of the next byte to read.
    private var cursor = 0
    private var markerState = MarkerAutomaton.start
    /// The first thing behind a call or a section's marker that is no white space.
    private var solid: Int?
    /// Whether only white space was read in this segment.
    private var isAtStart = true
    private var code = MarkdownCodeTracker()
    /// A place where no call begins, as was found out.
    private var refuted: Int?
    private var pieces: [ScannedPiece] = []

    /// Creates a scanner.
    ///
    /// - Parameters:
    ///   - syntax: How the model writes calls.
    ///   - names: The names of the declared tools.
    ///   - acceptsBareCalls: Whether a call without any marker may be the whole text.
    init(syntax: ToolCallSyntax, names: Set<String>, acceptsBareCalls: Bool) {
        self.syntax = syntax
        self.names = names
        textMarkers = CallMarkers(syntax, behindCall: false)
        fillerMarkers = CallMarkers(syntax, behindCall: true)
        let rules = PlainCallScanner.Rules(
            allowsWrapper: syntax.acceptsWrapper, allowsBareCalls: syntax.acceptsBareCalls,
            allowsCallList: syntax.acceptsBareCallList)
        bareRules = acceptsBareCalls && (rules.allowsBareCalls || rules.allowsCallList) ? rules : nil
        beginSegment()
    }

    /// Where the call begins that the text so far certainly ends in.
    var openCallPlace: Int? {
        switch mode {
        case .call(let call): call.scanner.certainBodyStart == nil ? nil : call.start
        case .section(let marker): marker.lowerBound
        case .text, .afterCall: nil
        }
    }

    /// That call, as far as it has come.
    var openCall: OpenCall? {
        switch mode {
        case .call(let call):
            guard let bodyStart = call.scanner.certainBodyStart else { return nil }
            return openCall(at: call.start, bodyStart: call.bodyStart + bodyStart)
        case .section(let marker): return openCall(at: marker.lowerBound, bodyStart: marker.upperBound)
        case .text, .afterCall: return nil
        }
    }

    private func openCall(at start: Int, bodyStart: Int) -> OpenCall {
        OpenCall(lead: window.text(start..<bodyStart), body: window.text(bodyStart..<window.end))
    }

    /// Adds text and returns what is now certain.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isHidden: Whether it is a token that says something about calls, and shows nowhere else.
    /// - Returns: What is now certain.
    mutating func push(_ text: String, isHidden: Bool = false) -> [ScannedPiece] {
        window.append(text, isHidden: isHidden)
        readAll()
        releaseCertain()
        return takePieces()
    }

    /// Ends the text, and begins another.
    ///
    /// - Parameter cutOffIsText: Whether a call that is cut off is text, and not reported as such.
    /// - Returns: What was held back.
    mutating func finish(cutOffIsText: Bool = false) -> [ScannedPiece] {
        readAll()
        while case .call(let call) = mode {
            // What follows a call that only the end completes is read in turn.
            apply(call.scanner.atEnd(), to: call)
            readAll()
        }
        switch mode {
        case .section: append(before: window.end, as: ScannedPiece.incomplete)
        case .afterCall: appendVisible(before: window.end, as: ScannedPiece.filler)
        case .text, .call: appendVisible(before: window.end, as: ScannedPiece.text)
        }
        if cutOffIsText {
            pieces = pieces.map { if case .incomplete(let raw) = $0 { .text(raw) } else { $0 } }
        }
        beginSegment()
        return takePieces()
    }

    private mutating func takePieces() -> [ScannedPiece] {
        window.compact()
        defer { pieces.removeAll(keepingCapacity: true) }
        return pieces
    }
}

// MARK: - Reading

extension ToolCallScanner {
    /// Prepares for the first byte of a text.
    private mutating func beginSegment() {
        mode = .text
        isAtStart = true
        code = MarkdownCodeTracker()
        markerState = MarkerAutomaton.start
        guard let envelope = syntax.envelopes.first(where: \.isAtStartOnly) else { return }
        begin(envelope, at: cursor..<cursor)
    }

    private mutating func readAll() {
        while cursor < window.end {
            switch mode {
            case .text: readText()
            case .afterCall: readFiller(behind: nil)
            case .section(let marker): readFiller(behind: marker)
            case .call(var call):
                // The scanner must not be shared while it changes, or each byte would copy it.
                mode = .text
                readCall(&call)
            }
        }
    }

    private mutating func readText() {
        let byte = window[cursor]
        if cursor != refuted, let scanner = plainScanner(at: byte) { return begin(scanner) }
        code.read(byte)
        isAtStart = isAtStart && byte.isSpacing
        cursor += 1
        guard let match = textMarkers.read(byte, &markerState) else { return }
        let marker = (cursor - match.length)..<cursor
        // A marker at the beginning of a code span is written about.
        if window.followsBacktick(marker.lowerBound), code.isInSpan { return }
        switch match.kind {
        case .opener(let index): begin(syntax.envelopes[index], at: marker)
        case .section: beginSection(marker)
        case .filler: break
        }
    }

    /// A scanner for a call without markers, if one may begin with this byte.
    private func plainScanner(at byte: UInt8) -> PlainCallScanner? {
        if isAtStart, let bareRules, beginsBareCall(byte) { return PlainCallScanner(rules: bareRules, names: names) }
        guard syntax.acceptsWrapper else { return nil }
        let canBegin =
            byte == UInt8(ascii: "{") ? !code.isInCode : byte == UInt8(ascii: "`") && code.canBeginFence
        return canBegin ? PlainCallScanner(rules: PlainCallScanner.Rules(allowsWrapper: true), names: names) : nil
    }

    private func beginsBareCall(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "`"): true
        case UInt8(ascii: "<"): syntax.family == .plain
        default: false
        }
    }

    private mutating func begin(_ scanner: PlainCallScanner) {
        // A call that is the whole text takes white space before it along.
        if !isAtStart || bareRules == nil { appendVisible(before: cursor, as: ScannedPiece.text) }
        mode = .call(PendingCall(start: window.start, bodyStart: cursor, envelope: nil, scanner: scanner))
        isAtStart = false
    }

    private mutating func begin(_ envelope: ToolCallEnvelope, at opener: Range<Int>) {
        appendVisible(before: opener.lowerBound, as: ScannedPiece.text)
        let boundaries = [envelope.opener] + envelope.boundaries + syntax.sectionOpeners + syntax.sectionClosers
        let scanner = envelope.body.scanner(closers: envelope.closers, boundaries: boundaries.filter { !$0.isEmpty })
        mode = .call(
            PendingCall(start: opener.lowerBound, bodyStart: opener.upperBound, envelope: envelope, scanner: scanner))
        isAtStart = false
    }

    private mutating func beginSection(_ marker: Range<Int>) {
        appendVisible(before: marker.lowerBound, as: ScannedPiece.text)
        mode = .section(marker)
        markerState = MarkerAutomaton.start
        solid = nil
        isAtStart = false
    }

    private mutating func readCall(_ call: inout PendingCall) {
        while cursor < window.end {
            let verdict = call.scanner.read(window[cursor])
            cursor += 1
            guard verdict == .open else { return apply(verdict, to: call) }
        }
        mode = .call(call)
    }
}

// MARK: - Verdicts

extension ToolCallScanner {
    private mutating func apply(_ verdict: CallVerdict, to call: PendingCall) {
        markerState = MarkerAutomaton.start
        switch verdict {
        case .open: mode = .call(call)
        case .text:
            mode = .text
            cursor = call.bodyStart
            refuted = call.envelope == nil ? call.bodyStart : nil
        case .markup(let length):
            mode = .text
            cursor = call.bodyStart + length
            append(before: cursor, as: ScannedPiece.markup)
        case .incomplete:
            mode = .text
            cursor = window.end
            append(before: cursor, as: ScannedPiece.incomplete)
        case .complete(let body, let length):
            complete(call, body: body, length: length)
        }
    }

    private mutating func complete(_ call: PendingCall, body: Range<Int>, length: Int) {
        let end = call.bodyStart + length
        cursor = end
        solid = nil
        if let envelope = call.envelope, !envelope.undeclaredIsText,
            window.isBlank((call.bodyStart + body.lowerBound)..<(call.bodyStart + body.upperBound))
        {
            // Two markers with nothing between them are written about; an opener before another one is superfluous.
            mode = length > body.upperBound ? .text : .afterCall
            if length == body.upperBound { appendVisible(before: end, as: ScannedPiece.filler) }
            return
        }
        let scanned = scannedCall(call, body: body, end: end)
        append(before: end) { _ in .call(scanned) }
        mode = .afterCall
    }

    private func scannedCall(_ call: PendingCall, body: Range<Int>, end: Int) -> ScannedCall {
        var range = (call.bodyStart + body.lowerBound)..<(call.bodyStart + body.upperBound)
        if let envelope = call.envelope, let offset = envelope.bodyStart {
            range = (call.bodyStart - envelope.opener.utf8.count + offset)..<end
        }
        let undeclaredIsText = call.envelope?.undeclaredIsText ?? true
        let isWrapper = (call.scanner as? PlainCallScanner)?.isWrapper ?? false
        return ScannedCall(
            raw: window.text(call.start..<end), body: window.text(range), format: call.envelope?.format ?? .callList,
            undeclaredIsText: undeclaredIsText, namelessIsText: undeclaredIsText && !isWrapper)
    }

    /// Reads what stands behind a call, or between the marker of a section and its first call.
    private mutating func readFiller(behind section: Range<Int>?) {
        let byte = window[cursor]
        if solid == nil, !byte.isSpacing { solid = cursor }
        cursor += 1
        let match = fillerMarkers.read(byte, &markerState)
        if let match, solid == cursor - match.length {
            return take(match.kind, at: (cursor - match.length)..<cursor, behind: section)
        }
        guard let solid, solid < cursor - fillerMarkers.heldLength(at: markerState) else { return }
        endFiller(before: solid, behind: section)
    }

    private mutating func take(_ kind: CallMarkers.Kind, at marker: Range<Int>, behind section: Range<Int>?) {
        solid = nil
        markerState = MarkerAutomaton.start
        switch kind {
        case .opener(let index):
            if section == nil { appendVisible(before: marker.lowerBound, as: ScannedPiece.filler) }
            let start = section?.lowerBound ?? marker.lowerBound
            begin(syntax.envelopes[index], at: start..<marker.upperBound)
        case .section:
            if section == nil {
                appendVisible(before: marker.lowerBound, as: ScannedPiece.filler)
                mode = .section(marker)
            }
        case .filler where section != nil:
            // A section without calls is written about.
            mode = .text
        case .filler:
            appendVisible(before: marker.upperBound, as: ScannedPiece.filler)
            mode = .afterCall
        }
    }

    private mutating func endFiller(before place: Int, behind section: Range<Int>?) {
        solid = nil
        markerState = MarkerAutomaton.start
        guard let section else {
            appendVisible(before: place, as: ScannedPiece.filler)
            cursor = place
            mode = .text
            return
        }
        if let envelope = syntax.envelopes.first(where: \.isImpliedBySection) {
            cursor = place
            begin(envelope, at: section.lowerBound..<place)
        } else {
            cursor = section.upperBound
            mode = .text
        }
    }

    /// Gives out the text before a place as a piece of some kind.
    private mutating func append(before place: Int, as piece: (String) -> ScannedPiece) {
        let text = window.take(before: place)
        if !text.isEmpty { pieces.append(piece(text)) }
    }

    /// Gives it out as something that may be shown.
    private mutating func appendVisible(before place: Int, as piece: (String) -> ScannedPiece) {
        let text = window.takeVisible(before: place)
        if !text.isEmpty { pieces.append(piece(text)) }
    }

    /// Gives out what can no longer become part of a call.
    private mutating func releaseCertain() {
        switch mode {
        case .text:
            if isAtStart, bareRules != nil { return }
            appendVisible(before: cursor - textMarkers.heldLength(at: markerState), as: ScannedPiece.text)
        case .afterCall:
            appendVisible(before: solid ?? cursor, as: ScannedPiece.filler)
        case .section, .call: break
        }
    }
}
