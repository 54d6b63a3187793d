import CarbocationLocalLLM
import Foundation

/// The text side of one running job: token bytes in, events out.
///
/// The inference thread drives it through ``TokenOutput``; when the job is over, the task that waits in ``outcome()``
/// goes on and alone uses it from then on.
// `@unchecked` because of that hand-over: `reader` and `accumulator` belong to the inference thread until `finish`, and
// the continuation that `finish` resumes orders what comes after.
final class GenerationRun: TokenOutput, @unchecked Sendable {
    typealias Emit = @Sendable (LLMGenerationStreamEvent) -> Void

    /// What is always true of the results, however the run ends.
    struct Facts: Sendable {
        var promptTokens: Int
        var templateMode: LLMChatTemplateMode
        var seed: UInt32?
        /// Whether a reply without a call is a failure.
        var requiresCall = false
        var speculation: SpeculationPlan?
    }

    private let facts: Facts
    private let model: NativeModel
    private let markers: MarkerTokens
    private var steering: GenerationSteering?
    private let emit: Emit
    private let clock: GenerationClock
    private let ending = OneShot<JobOutcome>()
    private let heartbeat: Locked<Heartbeat>
    private var reader: ReplyReader
    private var accumulator: GenerationAccumulator
    /// The calls so far.
    private(set) var toolReply = ToolReply()
    /// The tokens so far, also those of text that is not shown.
    private(set) var tokens: [Token] = []
    private var nextLogprobs: LLMTokenLogprobs?
    /// What made the run end itself.
    private var failure: (any Error)?

    init(
        facts: Facts, reply: ReplyFormat, model: NativeModel, markers: MarkerTokens = MarkerTokens(),
        collectsLogprobs: Bool = false, steering: GenerationSteering? = nil, clock: GenerationClock,
        emit: @escaping Emit
    ) {
        self.facts = facts
        self.model = model
        self.markers = markers
        self.steering = steering
        self.emit = emit
        self.clock = clock
        reader = ReplyReader(reply)
        accumulator = GenerationAccumulator(collectsLogprobs: collectsLogprobs)
        heartbeat = Locked(Heartbeat(total: facts.promptTokens, lastSign: clock.elapsed))
    }

    convenience init(
        _ generation: PreparedGeneration, model: NativeModel, control: LLMGenerationControl.Registration?,
        clock: GenerationClock, emit: @escaping Emit
    ) {
        let facts = Facts(
            promptTokens: generation.tokens.count, templateMode: generation.preflight.templateMode,
            seed: generation.seed, requiresCall: generation.requiresCall,
            speculation: generation.speculation)
        self.init(
            facts: facts, reply: generation.reply, model: model, markers: generation.markers,
            collectsLogprobs: generation.logprobs != nil,
            steering: GenerationSteering(generation, model: model, control: control), clock: clock, emit: emit)
    }

    /// Takes the probabilities of the token that is consumed next.
    func note(_ logprobs: LLMTokenLogprobs) {
        nextLogprobs = logprobs
    }

    func consume(_ token: Token) -> LLMStopReason? {
        let elapsed = clock.elapsed
        tokens.append(token)
        heartbeat.withLock { $0.noteSign(at: elapsed) }
        accumulator.countToken(after: elapsed, emit: emit)
        // What opens the thinking is not part of it.
        if reader.phase == .thinking { toolReply.thinkingTokens += 1 }
        let marker = markers[token]
        let outputs = model.withBytes(of: token, rendersSpecial: markers.isVisible(token)) { bytes in
            reader.push(bytes.assumingMemoryBound(to: UInt8.self), marker: marker)
        }
        accumulator.append(outputs, emit: emit)
        toolReply.append(outputs)
        if let logprobs = nextLogprobs.take() { accumulator.append(logprobs, emit: emit) }
        do {
            try steering?.follow(outputs, reader: reader)
        } catch {
            failure = error
            return .failed
        }
        return reader.stopReason
    }

    func report(_ progress: PromptProgress) {
        heartbeat.withLock { $0.progress = progress }
    }

    func finish(_ outcome: JobOutcome) {
        ending.resolve(outcome)
    }

    /// Tells the consumer that work goes on whenever nothing came for `interval` seconds, until cancelled.
    func beat(every interval: TimeInterval) async {
        guard let pause = Heartbeat.pause(every: interval) else { return }
        while (try? await Task.sleep(for: pause)) != nil {
            let elapsed = clock.elapsed
            // Sent under the lock, so that none follows the end of the run.
            heartbeat.withLock { heartbeat in
                guard let message = heartbeat.message(at: elapsed, interval: interval) else { return }
                emit(.diagnostic(message: message))
            }
        }
    }

    /// How the job ended, once it did; text that was held back is released first.
    func outcome() async -> JobOutcome {
        let outcome = await ending.value()
        heartbeat.withLock { $0.end() }
        let rest = reader.finish()
        // Without a token there is nothing to end, not even a phase.
        if !tokens.isEmpty { accumulator.append(rest, emit: emit) }
        toolReply.append(rest)
        toolReply.incompleteCall = reader.incompleteCall
        return outcome
    }

    /// Sends the events of an ended job; throws what ended it, unless it was a stop.
    func conclude(_ outcome: JobOutcome) throws {
        switch outcome.end {
        case .stopped(let reason):
            if let failure = failure ?? reader.failure(endingWith: reason) ?? missingCall(endingWith: reason) {
                reportStatistics(stopReason: .failed)
                throw failure
            }
            // Calls that waited for more of them are only confirmed by the end.
            let stopReason = reader.stopReason == .toolCallComplete ? .toolCallComplete : reason
            accumulator.complete(
                GenerationAccumulator.Summary(
                    stopReason: stopReason, promptTokens: facts.promptTokens,
                    cachedPromptTokens: outcome.reuse.cachedTokens, templateMode: facts.templateMode,
                    seed: facts.seed, accelerationStats: facts.speculation?.stats(outcome.drafts),
                    duration: clock.elapsed),
                emit: emit)
        case .cancelled:
            reportStatistics(stopReason: .cancelled)
            throw CancellationError()
        case .failed(let error):
            reportStatistics(stopReason: .failed)
            throw error
        }
    }

    /// The failure of a reply that ended by itself without the call that it had to be.
    private func missingCall(endingWith reason: LLMStopReason) -> LLMEngineError? {
        guard facts.requiresCall, toolReply.calls.isEmpty, !reason.isLimit else { return nil }
        return .structuredOutputPhaseFailed("the reply ended without the required call")
    }

    /// Sends the statistics of a run that does not succeed.
    func reportStatistics(stopReason: LLMStopReason) {
        accumulator.interrupt(
            promptTokens: facts.promptTokens, stopReason: stopReason, templateMode: facts.templateMode, emit: emit)
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
    /// How far the prompt has come.
    var progress: PromptProgress
    private var lastSign: TimeInterval
    private var isOver = false

    /// How long to wait between looks whether there was a sign; nil when nobody is to be told.
    static func pause(every interval: TimeInterval) -> Duration? {
        Duration.pause(ofSeconds: interval)
    }

    init(total: Int, lastSign: TimeInterval) {
        progress = PromptProgress(processed: nil, total: total)
        self.lastSign = lastSign
    }

    mutating func noteSign(at time: TimeInterval) {
        lastSign = time
    }

    /// The run is over: no further message.
    mutating func end() {
        isOver = true
    }

    /// A message when nothing came for about `interval` seconds.
    mutating func message(at time: TimeInterval, interval: TimeInterval) -> String? {
        // Timers are not exact: half an interval after a sign is too early to speak, just under a whole one is not.
        guard !isOver, time - lastSign >= interval * 0.9 else { return nil }
        lastSign = time
        guard let processed = progress.processed else {
            return "waiting for a free sequence, prompt of \(progress.total) tokens"
        }
        return "computing the prompt, \(processed) of \(progress.total) tokens"
    }
}
