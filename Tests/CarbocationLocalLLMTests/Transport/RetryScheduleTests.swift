import CarbocationLocalLLM
import Testing

@Suite("RetrySchedule")
struct RetryScheduleTests {
    /// Gives always the same bits.
    private struct Constant: RandomNumberGenerator {
        let value: UInt64
        mutating func next() -> UInt64 { value }
    }

    private static func delay(_ retry: Int, bits: UInt64, after: Double? = nil) -> Double {
        var generator = Constant(value: bits)
        return RetrySchedule().delay(beforeRetry: retry, retryAfter: after, using: &generator) / .seconds(1)
    }

    @Test(
        "DL-7: 1, 2, 4 … 60 s, up to a quarter less",
        arguments: zip([1, 2, 3, 4, 5, 6, 7, 8, 63, 64, Int.max], [1.0, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60]))
    func doubling(retry: Int, seconds: Double) {
        #expect(abs(Self.delay(retry, bits: 0) - seconds * 0.75) < 0.001)
        #expect(abs(Self.delay(retry, bits: .max) - seconds) < 0.001)
    }

    @Test("DL-7: waits spread over the whole quarter")
    func jitter() {
        var generator = SystemRandomNumberGenerator()
        let waits = (0..<1000).map { _ in RetrySchedule().delay(beforeRetry: 3, using: &generator) / .seconds(1) }
        #expect(waits.allSatisfy { (3...4).contains($0) })
        #expect(Set(waits).count > 900)
    }

    @Test("numbers below 1 count as the first retry", arguments: [0, -1, Int.min])
    func early(retry: Int) {
        #expect(abs(Self.delay(retry, bits: .max) - 1) < 0.001)
    }

    @Test(
        "DL-7: the server's wish replaces the schedule, up to 120 s",
        arguments: [
            (0, 0), (5, 5), (119, 119), (120, 120), (3600, 120), (1e20, 120), (-3, 0), (.infinity, 120), (.nan, 0),
        ] as [(Double, Double)])
    func asked(seconds: Double, expected: Double) {
        #expect(Self.delay(6, bits: 0, after: seconds) == expected)
    }

    @Test("DL-7: statuses that are tried again", arguments: [408, 425, 429, 500, 502, 503, 504, 520, 599])
    func transient(status: Int) {
        #expect(RetrySchedule.isTransient(status: status))
    }

    @Test("DL-7: statuses that are not", arguments: [200, 206, 301, 400, 401, 403, 404, 410, 416, 451, 501, 505, 600])
    func permanent(status: Int) {
        #expect(!RetrySchedule.isTransient(status: status))
    }
}
