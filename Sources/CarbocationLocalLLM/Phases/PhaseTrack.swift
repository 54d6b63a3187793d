/// The phase that a reader is in, and what it says of changes.
struct PhaseTrack: Sendable {
    private(set) var phase: LLMStreamContentPhase
    private var hasBegun = false

    /// Starts in a phase that is told with the first output.
    init(_ phase: LLMStreamContentPhase) {
        self.phase = phase
    }

    /// What the first output begins with; nothing for later ones.
    mutating func begin() -> [PhaseOutput] {
        guard !hasBegun else { return [] }
        hasBegun = true
        return phase == .unknown ? [] : [.entered(phase)]
    }

    /// Enters another phase and says so.
    mutating func change(to newPhase: LLMStreamContentPhase, into output: inout [PhaseOutput]) {
        guard newPhase != phase else { return }
        phase = newPhase
        output.append(.entered(newPhase))
    }
}
