import CarbocationLocalLLM
import TestSupport
import Testing

/// What a reader of phases made of an output, told as a caller sees it.
struct PhaseTranscript: Equatable, CustomStringConvertible {
    var thinking = ""
    var final = ""
    var unknown = ""
    /// Each phase that was entered, in order.
    var entered: [LLMStreamContentPhase] = []
    var segments: [LLMGenerationPhaseSegment] = []
    var messages: [HarmonyMessage] = []

    var description: String {
        let phases = entered.map(\.rawValue).joined(separator: ">")
        let parts = segments.map { "\($0.phase.rawValue):\($0.text.debugDescription)" }
        return "[\(phases)] \(parts) \(messages.map { "\($0.recipient) \($0.body) \($0.isComplete)" })"
    }

    /// Reads an output in pieces; the events must be in order: a phase is entered before its text.
    static func reading(_ pieces: [String], with reader: any PhaseReading) -> Self {
        var reader = reader
        var outputs = pieces.flatMap { reader.push($0) }
        outputs += reader.finish()
        // A second end must give nothing more.
        outputs += reader.finish()
        return Self(outputs)
    }

    init(_ outputs: [PhaseOutput]) {
        var content = PhasedText()
        var phase = LLMStreamContentPhase.unknown
        for output in outputs {
            switch output {
            case .entered(let next):
                phase = next
                entered.append(next)
            case .text(let text):
                _ = content.append(text, to: phase)
            case .segmentEnd:
                content.endSegment()
            case .control:
                break
            case .message(let message):
                messages.append(message)
            }
        }
        thinking = content.text(of: .thinking)
        final = content.text(of: .final)
        unknown = content.text(of: .unknown)
        segments = content.segments
    }
}

extension String {
    /// The text whole, cut in two everywhere, scalar by scalar, and at random.
    var pieces: [[String]] {
        unicodeScalars.chunkings().map { $0.map { String(String.UnicodeScalarView($0)) } }
    }
}

extension OutputSanitizationProfile {
    static func pair(_ open: String, _ close: String) -> Self {
        Self(thinkingPairs: [OutputDelimiterPair(open: open, close: close)])
    }

    static let think = pair("<think>", "</think>")
    static let solar = Self(
        thinkingPairs: [OutputDelimiterPair(open: "<|think|>", close: "<|end|>")],
        scrubTokens: ["<|end|>", "<|content|>"], finalMarkers: ["<|content|>"])
    static let harmony = Self(
        sliceAfterMarker: "<|channel|>final<|message|>", scrubTokens: ["<|return|>", "<|end|>"],
        finalMarkers: ["<|channel|>final<|message|>"])
    static let gemma = Self(
        thinkingPairs: [OutputDelimiterPair(open: "<|channel>thought", close: "<channel|>")],
        extraStopStrings: ["<turn|>", "<|turn>"])
}

/// One reading: an output, and what is to be made of it however it is cut.
struct PhaseCase: Sendable, CustomTestStringConvertible {
    var output: String
    var profile = OutputSanitizationProfile.think
    var start = StartPhase.unknown
    var thinking = ""
    var final = ""
    /// The phase after all output was pushed, before its end.
    var phase: LLMStreamContentPhase

    init(
        _ output: String, _ profile: OutputSanitizationProfile = .think, start: StartPhase = .unknown,
        thinking: String = "", final: String = "", phase: LLMStreamContentPhase
    ) {
        self.output = output
        self.profile = profile
        self.start = start
        self.thinking = thinking
        self.final = final
        self.phase = phase
    }

    var testDescription: String { output.debugDescription }
}
