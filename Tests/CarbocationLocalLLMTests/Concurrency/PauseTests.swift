import CarbocationLocalLLM
import Testing

@Suite("Pauses")
struct PauseTests {
    @Test(
        "EV-12: every interval is one that clocks can wait for",
        arguments: [
            (0, nil), (-1, nil), (.infinity, nil), (-.infinity, nil), (.nan, nil), (0.5, .milliseconds(500)),
            (2, .seconds(2)), (1e-300, .milliseconds(1)), (999_999_999, .seconds(999_999_999)),
            (1e9, .longestPause), (1e19, .longestPause), (.greatestFiniteMagnitude, .longestPause),
        ] as [(Double, Duration?)])
    func pause(seconds: Double, expected: Duration?) {
        #expect(Duration.pause(ofSeconds: seconds) == expected)
    }
}
