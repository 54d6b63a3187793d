import CarbocationLocalLLM

/// Shows how far a calibration is, on the last line of a terminal.
final class CalibrationProgress: Sendable {
    private let errors: DiagnosticWriter?
    private let isEnded = Locked(false)

    init(name: String, context: CommandContext) {
        errors = context.environment.errors.isTerminal && !context.isQuiet ? context.errors : nil
        if errors != nil { context.note("calibrating \(name)") }
    }

    func show(_ progress: LlamaContextCalibrationProgress) {
        isEnded.withLock { isEnded in
            // A line that is too long for the window is cut at its edge instead of beginning a second one.
            if !isEnded { errors?.text("\r\u{1B}[?7l\(Self.text(progress))\u{1B}[K\u{1B}[?7h") }
        }
    }

    /// Clears the line, for good.
    func end() {
        isEnded.withLock { isEnded in
            if !isEnded { errors?.text("\r\u{1B}[K") }
            isEnded = true
        }
    }

    static func text(_ progress: LlamaContextCalibrationProgress) -> String {
        var parts: [String] = []
        if let fraction = progress.fractionCompleted { parts.append("[\(Int(fraction * 100))%]") }
        let context = progress.currentContext.map { " \($0) tokens" } ?? ""
        switch progress.phase {
        case .loadingModel: parts.append("loading the model")
        case .probing: parts.append("trying\(context)")
        case .probeSucceeded: parts.append("\(context.dropFirst()) fit")
        case .probeFailed: parts.append("\(context.dropFirst()) do not fit")
        case .saving: parts.append("saving")
        case .completed: parts.append("done")
        case .cancelled: parts.append("stopping")
        }
        if let last = progress.lastSuccessfulContext { parts.append("largest so far: \(last)") }
        return parts.joined(separator: "  ")
    }
}
