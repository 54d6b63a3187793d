/// Finds which calls of a reply belong to one round, as far as the system shows it.
///
/// A round ends when the model is given the outputs of all its calls. Where the system's transcript shows a call, its
/// place there counts. It may lag behind, though, and a quick tool may have answered one call of a turn before the
/// system makes the next.
struct RoundFinder: Sendable {
    /// Calls one after the other that can be one round while the system shows nothing: a limit of rounds has to work
    /// with any system.
    static let maximumUnshownCalls = 16

    private var calls = 0
    private var unshownCalls = 0

    /// Takes a call.
    ///
    /// - Parameters:
    ///   - progress: What the system shows when the call is made.
    ///   - isIdle: Whether all earlier calls are answered.
    ///   - hasWritten: Whether the model has written text since.
    /// - Returns: Whether it is the first call of a round.
    mutating func take(showing progress: SystemToolProgress, isIdle: Bool, hasWritten: Bool) -> Bool {
        let isFirst = opensRound(progress, isIdle: isIdle, hasWritten: hasWritten)
        if isFirst { unshownCalls = 0 }
        calls += 1
        return isFirst
    }

    private mutating func opensRound(_ progress: SystemToolProgress, isIdle: Bool, hasWritten: Bool) -> Bool {
        guard calls > 0 else { return true }
        var first = 0
        for count in progress.rounds {
            if calls < first + count { return calls == first }
            first += count
        }
        if progress.outputs >= calls { return true }
        guard isIdle else { return false }
        // Text may also be from before the calls and only be late, so it counts only where nothing else can.
        if hasWritten, progress == SystemToolProgress() { return true }
        unshownCalls += 1
        return unshownCalls >= Self.maximumUnshownCalls
    }
}
