import CarbocationLocalLLM
import TestSupport
import Testing

/// A turn of a model as the reader of phases hands it on.
struct Turn: Sendable {
    enum Part: Sendable {
        case text(String, LLMStreamContentPhase)
        case segmentEnd
    }

    var parts: [Part]

    /// A turn whose thinking stands between `<think>` and `</think>`; the markers are taken out here.
    init(_ output: String) {
        parts = []
        var rest = output[...]
        while rest.hasPrefix("<think>") {
            rest = rest.dropFirst("<think>".count)
            guard let end = rest.firstRange(of: "</think>") else {
                parts.append(.text(String(rest), .thinking))
                return
            }
            parts += [.text(String(rest[..<end.lowerBound]), .thinking), .segmentEnd]
            rest = rest[end.upperBound...].drop(while: \.isWhitespace)
        }
        if !rest.isEmpty { parts.append(.text(String(rest), .final)) }
    }
}

/// What a gate made of a turn.
struct GateRun: Hashable, Sendable {
    struct Segment: Hashable, Sendable {
        var phase: LLMStreamContentPhase
        var text: String
    }

    var segments: [Segment] = []
    var calls: [LLMToolCall] = []
    var rejected: [RejectedToolCall] = []
    /// The execution ids of calls and rejected calls in order.
    var order: [String] = []
    var incompleteCall: String?
    var isComplete = false

    private var isOpen = false

    func text(_ phase: LLMStreamContentPhase) -> String {
        segments.filter { $0.phase == phase && !$0.text.isEmpty }.map(\.text).joined(separator: "\n")
    }

    var final: String { text(.final) }
    var thinking: String { text(.thinking) }

    /// Calls as `name {arguments}`, with the keys in order.
    var names: [String] { calls.map { "\($0.name) \($0.arguments.jsonString())" } }

    mutating func take(_ outputs: [ToolGateOutput]) {
        for output in outputs {
            switch output {
            case .text(let text, let phase):
                if isOpen, segments.last?.phase == phase {
                    segments[segments.count - 1].text += text
                } else {
                    segments.append(Segment(phase: phase, text: text))
                }
                isOpen = true
            case .segmentEnd: isOpen = false
            case .call(let call):
                calls.append(call)
                order.append(call.executionID)
            case .rejected(let call):
                rejected.append(call)
                order.append(call.executionID)
            }
        }
    }

    /// Runs a turn whose texts are cut into pieces.
    init(_ gate: ToolGate, _ turn: Turn, cut: (String) -> [[UInt8]] = { [Array($0.utf8)] }) {
        var gate = gate
        for part in turn.parts {
            switch part {
            case .text(let text, let phase):
                var stage = GeneratedTextStage(stops: [])
                for piece in cut(text) { take(gate.push(stage.push(piece), in: phase)) }
                take(gate.push(stage.finish(), in: phase))
            case .segmentEnd: take(gate.segmentEnd())
            }
        }
        take(gate.finish())
        incompleteCall = gate.incompleteCall
        isComplete = gate.isComplete
        isOpen = false
    }

    /// Runs a turn whole, and checks that every way to cut it gives the same.
    ///
    /// - Parameters:
    ///   - gate: A gate that has read nothing.
    ///   - turn: The turn.
    ///   - cutDistance: How far apart the places are at which it is cut in two.
    ///   - sourceLocation: Where failures are reported.
    /// - Returns: The run of the whole turn.
    static func everyChunking(
        _ gate: ToolGate, _ turn: Turn, cutDistance: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) -> GateRun {
        let whole = GateRun(gate, turn)
        let single = GateRun(gate, turn) { text in text.utf8.map { [$0] } }
        #expect(single == whole, "byte by byte", sourceLocation: sourceLocation)
        for seed in 0..<4 as Range<UInt64> {
            let run = GateRun(gate, turn) { text in Array(text.utf8).randomChunks(seed: seed).map(Array.init) }
            #expect(run == whole, "random chunks \(seed)", sourceLocation: sourceLocation)
        }
        for (index, part) in turn.parts.enumerated() {
            guard case .text(let text, _) = part else { continue }
            for cut in stride(from: 1, to: max(text.utf8.count, 2), by: cutDistance) {
                let run = GateRun(gate, turn.cutting(part: index, at: cut))
                #expect(run == whole, "part \(index) cut at \(cut)", sourceLocation: sourceLocation)
            }
        }
        return whole
    }
}

extension Turn {
    /// The same turn with one text in two pieces, cut at a byte or, within a character, before it.
    func cutting(part index: Int, at offset: Int) -> Turn {
        guard case .text(let text, let phase) = parts[index] else { return self }
        let bytes = Array(text.utf8)
        var offset = min(offset, bytes.count)
        while offset > 0, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
        var copy = self
        copy.parts.replaceSubrange(
            index...index,
            with: [
                .text(String(decoding: bytes[..<offset], as: UTF8.self), phase),
                .text(String(decoding: bytes[offset...], as: UTF8.self), phase),
            ])
        return copy
    }
}
