import CarbocationLocalLLM
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Heartbeat (EV-12)")
struct HeartbeatTests {
    @Test("a sign of life comes when nothing came for the interval, with counts only")
    func interval() {
        var heartbeat = Heartbeat(total: 700, lastSign: 10)
        #expect(heartbeat.message(at: 11, interval: 2) == nil)
        #expect(heartbeat.message(at: 12, interval: 2) == "waiting for a free sequence, prompt of 700 tokens")
        heartbeat.progress = PromptProgress(processed: 512, total: 700)
        #expect(heartbeat.message(at: 13, interval: 2) == nil)
        #expect(heartbeat.message(at: 14, interval: 2) == "computing the prompt, 512 of 700 tokens")
    }

    @Test("a token counts as a sign, and nothing follows the end")
    func signs() {
        var heartbeat = Heartbeat(total: 1, lastSign: 0)
        heartbeat.noteSign(at: 5)
        #expect(heartbeat.message(at: 6, interval: 2) == nil)
        heartbeat.end()
        #expect(heartbeat.message(at: 100, interval: 2) == nil)
    }

    @Test(
        "an interval that no clock can wait for is the longest that one can",
        arguments: [1e10, 1e300, .greatestFiniteMagnitude])
    func endless(interval: Double) {
        #expect(Heartbeat.pause(every: interval) == .seconds(1_000_000_000))
        var heartbeat = Heartbeat(total: 1, lastSign: 0)
        #expect(heartbeat.message(at: 100, interval: interval) == nil)
    }

    @Test("an interval of nothing is none", arguments: [0, -1, .infinity, .nan])
    func none(interval: Double) {
        #expect(Heartbeat.pause(every: interval) == nil)
    }

    @Test("other intervals are waited for")
    func usual() {
        #expect(Heartbeat.pause(every: 2) == .seconds(2))
        #expect(Heartbeat.pause(every: 1e-300) == .milliseconds(1))
    }
}
