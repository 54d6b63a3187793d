import CarbocationLocalLLM

/// How far a download is, on the last line of a terminal.
///
/// Each repaint is one write that leaves the terminal as it was, so the program may end at any moment.
final class ProgressBar: Sendable {
    private struct State {
        var lastRepaint: Duration?
        var isRemoved = false
    }

    /// Less than this apart, repaints would only flicker.
    private static let shortestInterval = Duration.milliseconds(100)

    private let errors: DiagnosticWriter
    private let now: @Sendable () -> Duration
    private let state = Locked(State())

    init(errors: DiagnosticWriter, now: @escaping @Sendable () -> Duration) {
        self.errors = errors
        self.now = now
    }

    /// Shows a state, unless the last one is too fresh.
    func show(_ progress: DownloadProgress) {
        state.withLock { state in
            guard !state.isRemoved else { return }
            let time = now()
            if let last = state.lastRepaint, time - last < Self.shortestInterval { return }
            state.lastRepaint = time
            // A line that is too long for the window is cut at its edge instead of beginning a second one.
            errors.text("\r\u{1B}[?7l\(ProgressLine.text(progress))\u{1B}[K\u{1B}[?7h")
        }
    }

    /// Clears the line, for good.
    func remove() {
        state.withLock { state in
            guard !state.isRemoved else { return }
            state.isRemoved = true
            errors.text("\r\u{1B}[K")
        }
    }
}
