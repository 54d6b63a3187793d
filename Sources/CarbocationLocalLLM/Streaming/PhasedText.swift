/// The text of a generation by phases, as its content events build it up.
///
/// The text of a phase is what folding its deltas and snapshots gives; the segments are the same text in the order it
/// came.
package struct PhasedText: Sendable {
    /// What joins the segments of one phase in its text.
    package static let segmentSeparator = "\n"

    /// The non-empty segments, in stream order.
    package var segments: [LLMGenerationPhaseSegment] { allSegments.filter { !$0.text.isEmpty } }

    private var allSegments: [LLMGenerationPhaseSegment] = []
    private var texts: [LLMStreamContentPhase: String] = [:]
    private var isSegmentOpen = false

    package init() {}

    /// The whole text of a phase.
    package func text(of phase: LLMStreamContentPhase) -> String {
        texts[phase] ?? ""
    }

    /// Ends the current segment, so that further text of the same phase begins another.
    package mutating func endSegment() {
        isSegmentOpen = false
    }

    /// Appends text to a phase.
    ///
    /// - Returns: What the text of the phase grew by: the text, after a separator where it begins a further segment.
    package mutating func append(_ text: String, to phase: LLMStreamContentPhase) -> String {
        guard !text.isEmpty else { return "" }
        if isSegmentOpen, allSegments.last?.phase == phase {
            allSegments[allSegments.count - 1].text += text
            texts[phase, default: ""] += text
            return text
        }
        isSegmentOpen = true
        allSegments.append(LLMGenerationPhaseSegment(phase: phase, text: text))
        let separator = self.text(of: phase).isEmpty ? "" : Self.segmentSeparator
        texts[phase, default: ""] += separator + text
        return separator + text
    }

    /// Replaces the whole text of a phase.
    ///
    /// Earlier segments stay as far as the new text repeats them; the rest belongs to the phase's current segment, or
    /// to a new one when another phase came in between.
    package mutating func replace(_ phase: LLMStreamContentPhase, with text: String) {
        texts[phase] = text
        let isCurrent = isSegmentOpen && allSegments.last?.phase == phase
        let earlier = isCurrent ? allSegments.dropLast() : allSegments[...]
        var rest = text[...]
        var repeats = true
        for index in earlier.indices where allSegments[index].phase == phase && !allSegments[index].text.isEmpty {
            repeats = repeats && rest.hasPrefix(allSegments[index].text)
            guard repeats else {
                allSegments[index].text = ""
                continue
            }
            rest = rest.dropFirst(allSegments[index].text.count)
            if rest.hasPrefix(Self.segmentSeparator) { rest = rest.dropFirst() }
        }
        if isCurrent {
            allSegments[allSegments.count - 1].text = String(rest)
        } else if !rest.isEmpty {
            allSegments.append(LLMGenerationPhaseSegment(phase: phase, text: String(rest)))
            isSegmentOpen = true
        }
    }
}
