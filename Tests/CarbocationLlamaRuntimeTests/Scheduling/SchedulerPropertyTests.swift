import CarbocationLocalLLM
import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

/// Random conversations on one scheduler, every computed token checked against the job that it belongs to.
private struct Conversations {
    struct Entry {
        let id: GenerationJob.ID
        let prompt: [Token]
        let limit: Int
        let output = RecordingOutput()
        /// The whole text of a lone run.
        let full: [Token]
    }

    let context: FakeContext
    private var scheduler: Scheduler
    private var generator: SeededGenerator
    private(set) var entries: [Entry] = []
    private let stems: [[Token]]

    private let speculation: Speculation?

    init(_ kind: FakeMemory.Kind, seed: UInt64, speculation: Speculation? = nil) {
        var generator = SeededGenerator(seed: seed)
        let microBatch = [3, 16, 40, 512].randomElement(using: &generator) ?? 16
        context = FakeContext(
            kind, cellCount: Int.random(in: 250...900, using: &generator), batchSize: 512, microBatchSize: microBatch)
        let refusals = Locked(SeededGenerator(seed: seed &+ 1))
        context.refuses = { refusals.withLock { Int.random(in: 0..<8, using: &$0) == 0 } }
        self.speculation = speculation
        scheduler = Scheduler(
            context: context, maximumSequences: Int.random(in: 1...5, using: &generator), speculation: speculation)
        stems = [0, 40, 90].map { count in (0..<count).map { _ in Token.random(in: 1...9, using: &generator) } }
        self.generator = generator
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<3: submit(newPrompt())
            case 3: if let entry = entries.randomElement(using: &generator) { scheduler.cancel(entry.id) }
            case 4:
                let outcomes: [DecodeOutcome] = [.aborted, .full, .failed("")]
                context.scriptedOutcomes = outcomes.randomElement(using: &generator).map { [$0] } ?? []
            default: break
            }
            for _ in 0..<Int.random(in: 1...12, using: &generator) { step() }
        }
        context.scriptedOutcomes = []
        for _ in 0..<100_000 where !scheduler.isIdle { step() }
        #expect(scheduler.isIdle)
    }

    /// Every job has the tokens of a lone run, as far as it came.
    func check() {
        for entry in entries {
            let expected = entry.full.dropFirst(entry.prompt.count)
            #expect(entry.output.tokens == Array(expected.prefix(entry.output.tokens.count)))
            #expect(entry.output.outcomes.count == 1)
            if entry.output.end == "max-tokens" { #expect(entry.output.tokens.count == entry.limit) }
            #expect(entry.output.end != "complete" && entry.output.end != "running")
            let reuse = entry.output.outcomes.first?.reuse.cachedTokens ?? 0
            #expect((0..<entry.prompt.count).contains(reuse))
        }
    }

    var drafts: DraftTally {
        entries.compactMap { $0.output.outcomes.first?.drafts }.reduce(into: DraftTally()) { sum, tally in
            sum.calls += tally.calls
            sum.drafted += tally.drafted
            sum.accepted += tally.accepted
        }
    }

    var reusedTokens: Int { entries.reduce(0) { $0 + ($1.output.outcomes.first?.reuse.cachedTokens ?? 0) } }

    private mutating func submit(_ prompt: [Token]) {
        guard !prompt.isEmpty, prompt.count < context.cellCount,
            entries.filter({ $0.output.outcomes.isEmpty }).count < 8
        else { return }
        let limit = Int.random(in: 1...40, using: &generator)
        let full = prompt + FakeContext.expected(prompt: prompt, count: limit)
        let entry = Entry(id: UInt64(entries.count), prompt: prompt, limit: limit, full: full)
        entries.append(entry)
        scheduler.submit(
            context.job(
                entry.id, prompt: prompt, limit: limit, output: entry.output, isSpeculative: speculation != nil))
    }

    private mutating func newPrompt() -> [Token] {
        var tail: [Token] = []
        for _ in 0..<Int.random(in: 1...50, using: &generator) { tail.append(.random(in: 1...9, using: &generator)) }
        let stem = stems.randomElement(using: &generator) ?? []
        guard let earlier = entries.suffix(6).randomElement(using: &generator) else { return stem + tail }
        let text = earlier.prompt + earlier.output.tokens
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return text + tail
        case 1: return text
        case 2: return Array(text.prefix(Int.random(in: 0...text.count, using: &generator))) + tail
        case 3: return earlier.prompt
        case 4: return earlier.prompt.dropLast(3) + earlier.output.tokens.suffix(5) + tail
        default: return stem + tail
        }
    }

    private mutating func step() {
        let plan = scheduler.plan()
        guard !plan.entries.isEmpty else { return }
        let jobs = scheduler.participants(of: plan)
        check(plan, jobs: jobs)
        scheduler.perform(plan)
        #expect(scheduler.pool.usage.total == context.memory.usedCells)
    }

    /// Before each share its sequence holds exactly what the job has in front of it; the share continues it.
    private func check(_ plan: StepPlan, jobs: [GenerationJob.ID]) {
        var rest = plan.entries[...]
        for (share, id) in zip(plan.shares, jobs) {
            let tokens = rest.prefix(share.tokenCount - share.draftCount)
            rest = rest.dropFirst(share.tokenCount)
            guard let first = tokens.first else { continue }
            let full = entries[Int(id)].full
            #expect(context.memory.tokens(of: first.sequence) == Array(full.prefix(first.position)))
            #expect(tokens.map(\.token) == Array(full[first.position..<(first.position + tokens.count)]))
        }
    }
}

@Suite("Scheduler, random conversations", .timeLimit(.minutes(10)))
struct SchedulerPropertyTests {
    @Test(
        "PC-1, PC-2: whatever is submitted, continued, edited and cancelled, no wrong token is ever in a sequence",
        arguments: FakeMemory.Kind.allCases, 0..<25)
    func random(kind: FakeMemory.Kind, seed: Int) {
        var conversations = Conversations(kind, seed: UInt64(seed))
        conversations.run(steps: 80)
        conversations.check()
        #expect(conversations.entries.count > 8)
        #expect(conversations.reusedTokens > 0)
    }

    @Test(
        "SP-2: the same with drafts that are right or wrong, which no sequence ever keeps",
        arguments: FakeMemory.Kind.allCases, 0..<25)
    func drafts(kind: FakeMemory.Kind, seed: Int) {
        var conversations = Conversations(
            kind, seed: UInt64(seed), speculation: .guessing(right: 0.7, seed: UInt64(seed), limit: 1 + seed))
        conversations.run(steps: 80)
        conversations.check()
        let drafts = conversations.drafts
        // Such a memory is cleared when a draft is rejected, after which its job gets no more.
        #expect(drafts.calls > (kind == .recurrent ? 0 : 20))
        #expect(drafts.accepted < drafts.drafted)
    }
}
