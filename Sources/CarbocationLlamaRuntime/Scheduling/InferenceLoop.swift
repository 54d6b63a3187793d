import CarbocationLocalLLM
import Foundation

/// The thread that owns a context, and the mailbox through which other threads reach it.
///
/// The thread sleeps while there is nothing to compute. It ends after ``stop()``, when the last job is over.
// `@unchecked` because `mail` is only touched under `condition`, and the scheduler only by the loop's own thread.
final class InferenceLoop: @unchecked Sendable {
    /// Work on the sequences that does not compute.
    private typealias Errand = @Sendable (inout SequencePool) -> Void

    /// Somebody who waits for this thread.
    private enum Wish: Hashable {
        case job(GenerationJob.ID)
        case errand(UInt64)
    }

    private struct Mail {
        var submitted: [GenerationJob] = []
        var cancelled: [GenerationJob.ID] = []
        var errands: [Errand] = []
        /// Jobs in the batch that is being computed now.
        var computing: [GenerationJob.ID] = []
        /// Whether that batch holds prompt tokens, so that it may take long.
        var isComputingPrompt = false
        /// Cores that may be used from now on, and how many tasks wanted cores when they were counted.
        var cores: (usable: UsableCores, runnableTasks: Int?)?
        /// What the governor chose last; nil without one.
        var threadChoice: ThreadChoice?
        var isStopping = false
        /// Jobs and errands that are neither over nor cancelled.
        var wishes: Set<Wish> = []
        var errandCount: UInt64 = 0

        var isEmpty: Bool { submitted.isEmpty && cancelled.isEmpty && errands.isEmpty }
    }

    private static let stackSize = 16 << 20

    /// Set once the thread has ended and holds nothing any more.
    let ended = OneShot<Void>()
    private let context: any DecodingContext
    /// Where drafts are computed, if that is another context: between steps, while no batch is announced.
    private let draftContext: (any DecodingContext)?
    private let condition = NSCondition()
    private var mail = Mail()

    /// Starts the thread, which computes with what `threads` chooses, or what the context has when that is nil.
    init(
        context: any DecodingContext, maximumSequences: Int, threads: GovernedThreads? = nil,
        speculation: Speculation? = nil,
        name: String = "LlamaInference"
    ) {
        self.context = context
        draftContext = speculation?.draftContext
        mail.threadChoice = threads?.choice
        let scheduler = Scheduler(
            context: context, maximumSequences: maximumSequences, speculation: speculation)
        // A thread keeps its block as long as it likes; what the block holds must go when the loop ends.
        let body = Locked<(() -> Void)?> { [self] in run(scheduler, threads) }
        let thread = Thread { [ended] in
            Self.take(body)()
            ended.resolve(())
        }
        thread.name = name
        thread.stackSize = Self.stackSize
        thread.qualityOfService = .userInitiated
        thread.start()
    }

    /// Queues a job.
    ///
    /// Its output is finished exactly once, also when the loop was stopped before.
    func submit(_ job: GenerationJob) {
        let isAccepted = withMail { mail in
            guard !mail.isStopping else { return false }
            mail.submitted.append(job.reporting { [weak self] in self?.withdraw(.job(job.id)) })
            add(.job(job.id), to: &mail)
            return true
        }
        guard !isAccepted else { return }
        job.output.finish(JobOutcome(end: .failed(LLMEngineError.noModelLoaded), generatedTokens: 0))
    }

    /// Ends a job before its next token.
    ///
    /// A batch that is being computed for it is aborted, and so is any batch with prompt tokens: a job that waits
    /// would otherwise hear of its end only after them. What is rolled back is computed again. A draft is given up
    /// whomever it is for.
    func cancel(_ id: GenerationJob.ID) {
        withMail { mail in
            mail.cancelled.append(id)
            remove(.job(id), from: &mail)
            if mail.isComputingPrompt || mail.computing.contains(id) { context.requestAbort() }
            draftContext?.requestAbort()
        }
    }

    /// Works on the sequences between two steps; nil when the loop was stopped before.
    ///
    /// It runs to its end; in a cancelled task, servers that do not answer are given up sooner.
    func perform<Value: Sendable>(_ errand: @escaping @Sendable (inout SequencePool) -> Value) async -> Value? {
        let value = OneShot<Value>()
        let wish = withMail { mail -> Wish? in
            guard !mail.isStopping else { return nil }
            mail.errandCount += 1
            let wish = Wish.errand(mail.errandCount)
            mail.errands.append { value.resolve(errand(&$0)) }
            add(wish, to: &mail)
            return wish
        }
        guard let wish else { return nil }
        defer { withdraw(wish) }
        return await withTaskCancellationHandler {
            await value.value()
        } onCancel: {
            withdraw(wish)
        }
    }

    /// Computes on these cores from the next batch on; ignored unless the loop chooses its threads.
    func setCores(_ cores: UsableCores) {
        let tasks = ProcessorTimes.runnableTasks()
        withMail { $0.cores = (cores, tasks) }
    }

    /// The threads that the last batches were computed with; nil when the loop does not choose them.
    ///
    /// From any thread.
    var threadChoice: ThreadChoice? {
        condition.lock()
        defer { condition.unlock() }
        return mail.threadChoice
    }

    /// Lets the thread end once all jobs are over; later submissions fail.
    func stop() {
        withMail { $0.isStopping = true }
    }

    private func withdraw(_ wish: Wish) {
        withMail { remove(wish, from: &$0) }
    }

    private func add(_ wish: Wish, to mail: inout Mail) {
        mail.wishes.insert(wish)
        setWanted(true)
    }

    private func remove(_ wish: Wish, from mail: inout Mail) {
        mail.wishes.remove(wish)
        if mail.wishes.isEmpty { setWanted(false) }
    }

    private func setWanted(_ isWanted: Bool) {
        context.setWanted(isWanted)
        draftContext?.setWanted(isWanted)
    }

    @discardableResult
    private func withMail<Result>(_ body: (inout Mail) -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        let result = body(&mail)
        condition.signal()
        return result
    }
}

// MARK: - The loop's own thread

extension InferenceLoop {
    private static func take(_ body: Locked<(() -> Void)?>) -> () -> Void {
        body.withLock { body in
            defer { body = nil }
            return body ?? {}
        }
    }

    private func run(_ initial: Scheduler, _ governed: GovernedThreads?) {
        var scheduler = initial
        var threads = governed
        while let mail = nextMail(isIdle: scheduler.isIdle) {
            mail.submitted.forEach { scheduler.submit($0) }
            mail.cancelled.forEach { scheduler.cancel($0) }
            mail.errands.forEach { $0(&scheduler.pool) }
            step(&scheduler, &threads)
        }
    }

    /// Waits for work; nil when the loop shall end.
    private func nextMail(isIdle: Bool) -> Mail? {
        condition.lock()
        defer { condition.unlock() }
        while isIdle && mail.isEmpty && !mail.isStopping { condition.wait() }
        if isIdle && mail.isEmpty && mail.isStopping { return nil }
        // The jobs that drafts were given up for end before the next draft.
        draftContext?.clearAbort()
        defer {
            mail.submitted.removeAll()
            mail.cancelled.removeAll()
            mail.errands.removeAll()
        }
        return mail
    }

    private func step(_ scheduler: inout Scheduler, _ threads: inout GovernedThreads?) {
        let plan = scheduler.plan()
        guard !plan.entries.isEmpty,
            begin(plan, participants: scheduler.participants(of: plan), &threads)
        else { return }
        guard let (count, deadline) = threads?.begin(plan.kind, mayStop: scheduler.canStop(plan)) else {
            scheduler.perform(plan)
            _ = end(choice: nil)
            return
        }
        context.setThreads(count)
        context.setDeadline(deadline)
        let outcome = scheduler.perform(plan)
        let isUndisturbed = end(choice: threads?.choice)
        let isStopped = outcome == .aborted && context.missedDeadline
        threads?.end(
            plan.kind, threads: count, isComplete: isUndisturbed && (outcome == .decoded || isStopped),
            isStopped: isStopped)
    }

    /// Announces the batch; false when a job was cancelled meanwhile.
    private func begin(
        _ plan: StepPlan, participants: [GenerationJob.ID], _ threads: inout GovernedThreads?
    ) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard mail.cancelled.isEmpty else { return false }
        mail.computing = participants
        mail.isComputingPrompt = plan.holdsPrompt
        if let cores = mail.cores { threads?.setCores(cores.usable, runnableTasks: cores.runnableTasks) }
        mail.cores = nil
        return true
    }

    /// False when a job was cancelled meanwhile, so that the batch may have been aborted.
    private func end(choice: ThreadChoice?) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        mail.threadChoice = choice
        mail.computing = []
        mail.isComputingPrompt = false
        context.clearAbort()
        return mail.cancelled.isEmpty
    }
}

extension StepPlan {
    /// What the batch is made of, for the choice of threads.
    var kind: ComputeStep.Kind {
        if holdsPrompt { return .prefill(tokens: entries.count) }
        return draftCount > 0 ? .verify(tokens: entries.count) : .decode(sequences: shares.count)
    }
}
