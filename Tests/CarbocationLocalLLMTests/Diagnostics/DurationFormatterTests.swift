import CarbocationLocalLLM
import Testing

@Suite("DurationFormatter")
struct DurationFormatterTests {
    @Test(
        "JS-6: minutes and seconds",
        arguments: [
            (59, "59s"), (3_725, "62m 5s"), (-3, "0s"), (0, "0s"), (0.4, "0s"), (1.5, "2s"), (59.6, "1m 0s"),
            (60, "1m 0s"),
            (-0.0, "0s"), (.nan, "0s"), (-.infinity, "0s"), (1e300, "153722867280912930m 7s"),
            (.infinity, "153722867280912930m 7s"),
        ] as [(Double, String)])
    func durations(seconds: Double, expected: String) {
        #expect(DurationFormatter.string(from: seconds) == expected)
    }
}
