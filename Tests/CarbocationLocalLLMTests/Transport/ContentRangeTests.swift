import CarbocationLocalLLM
import Testing

@Suite("ContentRange")
struct ContentRangeTests {
    @Test(
        "DL-6: ranges of a known or unknown whole",
        arguments: [
            ("bytes 0-9/10", ContentRange.bytes(0..<10, total: 10)), ("bytes 3-5/6", .bytes(3..<6, total: 6)),
            ("bytes 4-4/*", .bytes(4..<5, total: nil)), ("BYTES 0-0/1", .bytes(0..<1, total: 1)),
            ("  bytes   0-9/10 ", .bytes(0..<10, total: 10)), ("bytes */100", .unsatisfied(total: 100)),
            ("bytes */0", .unsatisfied(total: 0)),
            ("bytes 0-9223372036854775805/9223372036854775807", .bytes(0..<9_223_372_036_854_775_806, total: .max)),
        ])
    func valid(text: String, range: ContentRange) {
        #expect(ContentRange(text) == range)
    }

    @Test(
        "what says nothing usable or contradicts itself",
        arguments: [
            "", "bytes", "bytes 0-9", "bytes 9-0/10", "bytes 0-10/10", "bytes 5-9/5", "bytes */*", "bytes -1-5/10",
            "bytes 0--5/10", "items 0-9/10", "bytes 0-9/10/10", "bytes=0-9/10", "bytes 0-9/x", "bytes 0-/10",
            "bytes -9/10",
            "bytes 0-9/99999999999999999999", "bytes 99999999999999999999-9/10", "bytes 0 - 9/10", "bytes ٠-٩/١٠",
            "bytes 0-9223372036854775807/*", "bytes 0-9,20-29/30",
        ])
    func invalid(text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test("the whole's length")
    func total() {
        #expect(ContentRange("bytes 0-9/10")?.total == 10)
        #expect(ContentRange("bytes */100")?.total == 100)
        #expect(ContentRange.bytes(0..<1, total: nil).total == nil)
    }
}
