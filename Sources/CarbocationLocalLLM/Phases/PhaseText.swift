/// The text of one phase between two markers, as far as it is certain.
///
/// White space next to a marker belongs to neither side, so that at the end of the text is held until it is clear what
/// follows. All other white space is text.
struct PhaseText: Sendable {
    /// Whether nothing but white space has come since a marker.
    private(set) var dropsLeadingWhiteSpace: Bool
    private let holdsTrailingWhiteSpace: Bool
    private var examined: Int
    private var endOfText: Int

    /// Begins at the position `start`.
    ///
    /// `followsMarker` says that a marker precedes the text, `precedesMarker` that one may follow it.
    init(at start: Int, followsMarker: Bool, precedesMarker: Bool) {
        dropsLeadingWhiteSpace = followsMarker
        holdsTrailingWhiteSpace = precedesMarker
        examined = start
        endOfText = start
    }

    /// Goes on behind a marker within the text, everything before which was taken.
    mutating func skip(upTo position: Int) {
        examined = position
        endOfText = position
    }

    /// Gives out what a finding makes certain, and gives back the marker if it is one.
    ///
    /// A marker of which `isStray` is true is dropped, and the text goes on behind it.
    mutating func read<Meaning>(
        _ finding: MarkerScanner<Meaning>.Finding, from scanner: inout MarkerScanner<Meaning>, isLast: Bool,
        isStray: (Meaning) -> Bool, into output: inout [PhaseOutput]
    ) -> MarkerScanner<Meaning>.Match? {
        let taken: String
        var marker: MarkerScanner<Meaning>.Match?
        switch finding {
        case .mismatch:
            return nil
        case .certain(let position):
            taken = take(from: &scanner, upTo: position, isLast: isLast)
        case .match(let match):
            marker = match
            let goesOn = isStray(match.meaning)
            taken = take(from: &scanner, upTo: match.range.lowerBound, isLast: goesOn)
            if goesOn {
                scanner.drop(upTo: match.range.upperBound)
                skip(upTo: match.range.upperBound)
            }
        }
        if !taken.isEmpty { output.append(.text(taken)) }
        return marker
    }

    /// Takes what is certain of the text up to `limit`; all of it when the output ends there.
    mutating func take<Meaning>(
        from scanner: inout MarkerScanner<Meaning>, upTo limit: Int, isLast: Bool = false
    ) -> String {
        var limit = limit
        if holdsTrailingWhiteSpace {
            if examined < limit {
                endOfText = scanner.endOfText(in: examined..<limit) ?? endOfText
                examined = limit
            }
            if !isLast { limit = endOfText }
        }
        guard scanner.start < limit else { return "" }
        if dropsLeadingWhiteSpace {
            scanner.drop(upTo: scanner.endOfWhiteSpace(from: scanner.start, upTo: limit))
            dropsLeadingWhiteSpace = scanner.start == limit
        }
        return scanner.take(upTo: limit)
    }
}
