import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct ProgressBarTests {
    private let writer = MemoryWriter(isTerminal: true)
    private let time = Locked(Duration.zero)

    private func bar() -> ProgressBar {
        ProgressBar(errors: DiagnosticWriter(writer), now: { [time] in time.withLock { $0 } })
    }

    private func progress(_ bytes: Int64) -> DownloadProgress {
        DownloadProgress(bytesReceived: bytes, totalBytes: 1000, bytesPerSecond: 0)
    }

    @Test("repaints at most ten times a second")
    func rate() {
        let bar = bar()
        for millisecond in 0..<1000 {
            time.withLock { $0 = .milliseconds(millisecond) }
            bar.show(progress(Int64(millisecond)))
        }
        #expect(writer.pieces.count == 10)
    }

    @Test("a repaint is one write that leaves wrapping as it was")
    func repaint() {
        bar().show(progress(500))
        #expect(writer.pieces == ["\r\u{1B}[?7l[##########..........]  50%  500 B of 1.0 kB\u{1B}[K\u{1B}[?7h"])
    }

    @Test("clears its line once, and shows nothing after that")
    func removal() {
        let bar = bar()
        bar.remove()
        bar.remove()
        bar.show(progress(1))
        #expect(writer.pieces == ["\r\u{1B}[K"])
    }
}

@Suite struct ProgressLineTests {
    @Test(
        "shows bytes, speed and remaining time as far as they are known",
        arguments: [
            (0, 2_000_000, 0, "[....................]   0%  0 B of 2.0 MB"),
            (500_000, 2_000_000, 100_000, "[#####...............]  25%  500 kB of 2.0 MB  100 kB/s  0:15 left"),
            (2_000_000, 2_000_000, 100_000, "[####################] 100%  2.0 MB of 2.0 MB  100 kB/s"),
            (5_000, 0, 1_000, "5.0 kB  1.0 kB/s"),
            (0, Int64.max, 1, "[....................]   0%  0 B of 9.2 EB  1 B/s"),
            (0, 2_000_000, Double.nan, "[....................]   0%  0 B of 2.0 MB"),
            (3, 2, 0, "[####################] 100%  3 B of 2 B"),
        ] as [(Int64, Int64, Double, String)])
    func text(received: Int64, total: Int64, speed: Double, text: String) {
        let progress = DownloadProgress(bytesReceived: received, totalBytes: total, bytesPerSecond: speed)
        #expect(ProgressLine.text(progress) == text)
    }
}
