import Testing

@testable import CarbocationLlamaRuntime

@Suite("Heartbeat (EV-12)")
struct HeartbeatTests {
    @Test("a sign of life comes once per interval, with counts only")
    func interval() {
        var heartbeat = Heartbeat(interval: 2)
        let waiting = PromptProgress(processed: nil, total: 700)
        let filling = PromptProgress(processed: 512, total: 700)
        #expect(heartbeat.message(for: waiting, at: 1.9) == nil)
        #expect(heartbeat.message(for: waiting, at: 2) == "waiting for a free sequence, prompt of 700 tokens")
        #expect(heartbeat.message(for: filling, at: 3.9) == nil)
        #expect(heartbeat.message(for: filling, at: 4.1) == "computing the prompt, 512 of 700 tokens")
    }

    @Test("an interval of 0 or less is silent", arguments: [0, -1.0])
    func silent(interval: Double) {
        var heartbeat = Heartbeat(interval: interval)
        #expect(heartbeat.message(for: PromptProgress(processed: 0, total: 1), at: 1e9) == nil)
    }
}
