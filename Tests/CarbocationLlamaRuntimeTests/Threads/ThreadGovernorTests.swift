import Testing

@testable import CarbocationLlamaRuntime

@Suite("Thread governor")
struct ThreadGovernorTests {
    private func decode(_ threads: Int, _ seconds: Double) -> ComputeStep {
        ComputeStep(kind: .decode(sequences: 1), threads: threads, seconds: seconds)
    }

    @Test(
        "starts with the cores that are free",
        arguments: [(2.0, 2), (1.97, 2), (1.0, 1), (0.67, 1), (0, 1), (-3, 1), (.infinity, 2), (.nan, 1)])
    func start(free: Double, threads: Int) {
        let governor = ThreadGovernor(limit: 2, load: CoreLoad(freeCores: free, seconds: 1))
        #expect(governor.choice == ThreadChoice(decode: threads, prefill: threads))
    }

    @Test("limits below one are one", arguments: [1, 0, -5, .min])
    func lowLimit(limit: Int) {
        var governor = ThreadGovernor(limit: limit, load: CoreLoad(freeCores: 4, seconds: 1))
        governor.note(decode(1, 5))
        governor.setLimit(limit)
        #expect(governor.threads(for: .decode(sequences: 1)) == 1)
        #expect(governor.threads(for: .prefill(tokens: 512)) == 1)
    }

    @Test("one stalled step leads to fewer threads at once, for prompts too")
    func stall() {
        var governor = ThreadGovernor(limit: 2, load: CoreLoad(freeCores: 2, seconds: 1))
        for _ in 0..<10 { governor.note(decode(2, 0.009)) }
        #expect(governor.choice == ThreadChoice(decode: 2, prefill: 2))
        governor.note(decode(2, 0.9))
        #expect(governor.choice == ThreadChoice(decode: 1, prefill: 1))
    }

    @Test("a stall without load is tried again only after sixteen times its price")
    func repayment() {
        var governor = ThreadGovernor(limit: 2, load: CoreLoad(freeCores: 2, seconds: 1))
        for _ in 0..<10 { governor.note(decode(2, 0.009)) }
        governor.note(decode(2, 0.509))
        var seconds = 0.0
        while governor.choice.decode == 1, seconds < 60 {
            governor.note(decode(1, 0.01))
            governor.note(CoreLoad(freeCores: 2, seconds: 0.01))
            seconds += 0.01
        }
        #expect((7.9...8.2).contains(seconds))
    }

    @Test("a slow step of a longer context is no stall, nor is an interrupt of a few milliseconds")
    func slow() {
        var governor = ThreadGovernor(limit: 2, load: CoreLoad(freeCores: 2, seconds: 1))
        for _ in 0..<8 { governor.note(decode(2, 0.002)) }
        governor.note(decode(2, 0.014))
        governor.note(decode(2, 0.005))
        #expect(governor.choice.decode == 2)
    }

    @Test("prompts and decoding find their own counts")
    func apart() {
        var governor = ThreadGovernor(limit: 8, load: CoreLoad(freeCores: 8, seconds: 1))
        for _ in 0..<400 {
            let prompt = governor.threads(for: .prefill(tokens: 512))
            governor.note(ComputeStep(kind: .prefill(tokens: 512), threads: prompt, seconds: 0.8 / Double(prompt)))
            let threads = governor.threads(for: .decode(sequences: 1))
            governor.note(decode(threads, 0.01 + 0.002 * abs(Double(threads) - 3)))
        }
        #expect(governor.choice == ThreadChoice(decode: 3, prefill: 8))
    }

    @Test("after a pause the load of that moment counts")
    func resume() {
        var governor = ThreadGovernor(limit: 4, load: CoreLoad(freeCores: 4, seconds: 1))
        governor.resume(CoreLoad(freeCores: 2, seconds: 0))
        #expect(governor.choice.decode == 2)
        governor.resume(CoreLoad(freeCores: 4, seconds: 0))
        #expect(governor.choice.decode == 4)
    }

    @Test("several sequences are timed apart from one")
    func sequences() {
        var governor = ThreadGovernor(limit: 2, load: CoreLoad(freeCores: 2, seconds: 1))
        for _ in 0..<10 { governor.note(decode(2, 0.009)) }
        for _ in 0..<10 {
            governor.note(ComputeStep(kind: .decode(sequences: 16), threads: 2, seconds: 0.08))
        }
        #expect(governor.choice.decode == 2)
    }

    @Test("steps without a length and absurd ones do no harm", arguments: [0, -1, .infinity, .nan])
    func absurd(seconds: Double) {
        var governor = ThreadGovernor(limit: 2, load: CoreLoad(freeCores: 2, seconds: seconds))
        for _ in 0..<100 {
            governor.note(decode(governor.threads(for: .decode(sequences: 1)), seconds))
            governor.note(ComputeStep(kind: .prefill(tokens: 0), threads: 2, seconds: seconds))
        }
        #expect((1...2).contains(governor.choice.decode))
    }
}

@Suite("Thread ladder")
struct ThreadLadderTests {
    @Test("every count of small machines; an eighth apart on large ones", arguments: [1, 2, 7, 16, 64, 512])
    func rungs(limit: Int) {
        let rungs = ThreadLadder(limit: limit).rungs
        #expect(rungs.first == 1)
        #expect(rungs.last == limit)
        for (lower, upper) in zip(rungs, rungs.dropFirst()) {
            #expect(lower < upper)
            #expect(upper - lower <= max(1, upper / 8))
        }
        if limit <= 15 { #expect(rungs == Array(1...limit)) }
    }

    @Test("alternatives: half, the one below, double, the one above, within the ceiling")
    func alternatives() {
        #expect(ThreadLadder(limit: 8).alternatives(to: 4, atMost: 8) == [2, 3, 8, 5])
        #expect(ThreadLadder(limit: 8).alternatives(to: 4, atMost: 4) == [2, 3])
        #expect(ThreadLadder(limit: 2).alternatives(to: 2, atMost: 2) == [1])
        #expect(ThreadLadder(limit: 1).alternatives(to: 1, atMost: 1).isEmpty)
    }
}
