import CarbocationLocalLLM

/// What the rules say of a complete output, one rule after the other and without any thought of streams.
struct PhaseSplitterReference {
    let profile: OutputSanitizationProfile
    private(set) var thinking: [String] = []
    private(set) var final = ""

    private var openPairs: [OutputDelimiterPair] { profile.thinkingPairs.filter { !$0.open.isEmpty } }

    init(_ text: String, profile: OutputSanitizationProfile) {
        self.profile = profile
        var rest = text[...]
        var followsMarker = false
        while true {
            let trimmed = rest.drop { $0.isWhitespace }
            let openers = openPairs.map(\.open) + profile.allFinalMarkers
            let marker = openers.filter { trimmed.hasPrefix($0) }.max { $0.count < $1.count }
            if let marker, let pair = openPairs.first(where: { $0.open == marker }) {
                rest = readThinking(trimmed.dropFirst(marker.count), closers: [pair.close], followsMarker: true)
            } else if let marker {
                readFinal(trimmed.dropFirst(marker.count), followsMarker: true)
                return
            } else if !followsMarker, openPairs.isEmpty, !profile.allFinalMarkers.isEmpty {
                rest = readThinking(rest, closers: [], followsMarker: false)
            } else {
                readFinal(rest, followsMarker: followsMarker)
                return
            }
            followsMarker = true
        }
    }

    /// Reads up to a closer, or a final marker with which it reads the answer too; what is left.
    private mutating func readThinking(
        _ text: Substring, closers: [String], followsMarker: Bool
    ) -> Substring {
        let ends = profile.allFinalMarkers + closers
        for index in text.indices {
            let end = ends.filter { text[index...].hasPrefix($0) }.max { $0.count < $1.count }
            guard let end else { continue }
            let block = String(text[..<index].reversed().drop { $0.isWhitespace }.reversed())
            thinking.append(followsMarker ? String(block.drop { $0.isWhitespace }) : block)
            let rest = text[index...].dropFirst(end.count)
            guard profile.allFinalMarkers.contains(end) else { return rest }
            readFinal(rest, followsMarker: true)
            return ""
        }
        thinking.append(String(followsMarker ? text.drop { $0.isWhitespace } : text))
        return ""
    }

    private mutating func readFinal(_ text: Substring, followsMarker: Bool) {
        var rest = text
        while let next = rest.first {
            if let token = profile.scrubTokens.filter({ rest.hasPrefix($0) }).max(by: { $0.count < $1.count }) {
                rest = rest.dropFirst(token.count)
            } else {
                if !(followsMarker && final.isEmpty && next.isWhitespace) { final.append(next) }
                rest = rest.dropFirst()
            }
        }
    }
}
