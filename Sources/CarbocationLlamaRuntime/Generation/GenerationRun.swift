import CarbocationLocalLLM
import Foundation

/// The text side of one running job: token bytes in, events out.
///
/// The inference thread drives it through ``TokenOutput``; when the job is over, the task that waits in ``outcome()``
/// goes on and alone uses it from then on.
// `@unchecked` because of that hand-over: `text` and `accumulator` belong to the inference thread until `finish`, and
// the continuation that `finish` resumes orders what comes after.
final class GenerationRun: TokenOutput, @unchecked Sendable {
    typealias Emit = @Sendable (LLMGenerationStreamEvent) -> Void

    private let model: NativeModel
    private let emit: Emit
    private let clock: GenerationClock
    private let ending = OneShot<JobOutcome>()
    private var text: GeneratedTextStage
    private var accumulator = GenerationAccumulator()
    private var heartbeat: Heartbeat

    init(
        model: NativeModel, stops: [String], heartbeatInterval: TimeInterval, clock: GenerationClock,
        emit: @escaping Emit
    ) {
        self.model = model
        self.emit = emit
        self.clock = clock
        text = GeneratedTextStage(stops: stops)
        heartbeat = Heartbeat(interval: heartbeatInterval)
    }

    /// Announces the request; before the job is submitted.
    func begin() {
        accumulator.begin(emit: emit)
    }

    func consume(_ token: Token) -> LLMStopReason? {
        accumulator.countToken(after: clock.elapsed, emit: emit)
        let piece = model.withBytes(of: token) { bytes in text.push(bytes.assumingMemoryBound(to: UInt8.self)) }
        accumulator.append(piece, emit: emit)
        return text.matchedStop == nil ? nil : .stopSequence
    }

    func report(_ progress: PromptProgress) {
        guard let message = heartbeat.message(for: progress, at: clock.elapsed) else { return }
        emit(.diagnostic(message: message))
    }

    func finish(_ outcome: JobOutcome) {
        ending.resolve(outcome)
    }

    /// How the job ended, once it did.
    ///
    /// Text that was held back is released first.
    func outcome() async -> JobOutcome {
        let outcome = await ending.value()
        if text.matchedStop == nil { accumulator.append(text.finish(), emit: emit) }
        return outcome
    }

    /// Sends the events of an ended job; throws what ended it, unless it was a stop.
    func conclude(_ outcome: JobOutcome, of generation: PreparedGeneration) throws {
        switch outcome.end {
        case .stopped(let reason):
            accumulator.complete(
                GenerationAccumulator.Summary(
                    stopReason: reason, promptTokens: generation.tokens.count,
                    templateMode: generation.preflight.templateMode, seed: generation.seed,
                    duration: clock.elapsed),
                emit: emit)
        case .cancelled:
            interrupt(generation, reason: .cancelled)
            throw CancellationError()
        case .failed(let error):
            interrupt(generation, reason: "failed")
            throw error
        }
    }

    private func interrupt(_ generation: PreparedGeneration, reason: LLMStopReason) {
        accumulator.interrupt(
            promptTokens: generation.tokens.count, stopReason: reason,
            templateMode: generation.preflight.templateMode, emit: emit)
    }
}

/// Seconds since a request arrived.
struct GenerationClock: Sendable {
    private let start = ContinuousClock.now

    var elapsed: TimeInterval {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return TimeInterval(seconds) + TimeInterval(attoseconds) * 1e-18
    }
}

/// Decides when a caller who sees nothing is told that work goes on.
struct Heartbeat {
    let interval: TimeInterval
    private var lastSign: TimeInterval = 0

    init(interval: TimeInterval) {
        self.interval = interval
    }

    /// A message when nothing was said for the interval; an interval of 0 or less never says anything.
    mutating func message(for progress: PromptProgress, at time: TimeInterval) -> String? {
        guard interval > 0, time - lastSign >= interval else { return nil }
        lastSign = time
        guard let processed = progress.processed else {
            return "waiting for a free sequence, prompt of \(progress.total) tokens"
        }
        return "computing the prompt, \(processed) of \(progress.total) tokens"
    }
}
