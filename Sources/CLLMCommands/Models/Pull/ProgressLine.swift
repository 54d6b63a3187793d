import CarbocationLocalLLM

/// The text of a progress bar.
enum ProgressLine {
    private static let width = 20

    static func text(_ progress: DownloadProgress) -> String {
        var parts: [String] = []
        if progress.totalBytes > 0 {
            parts.append(bar(progress.fractionComplete))
            let received = Figure.bytes(progress.bytesReceived)
            parts.append("\(received) of \(Figure.bytes(progress.totalBytes))")
        } else {
            parts.append(Figure.bytes(progress.bytesReceived))
        }
        if progress.bytesPerSecond >= 1, progress.bytesPerSecond.isFinite {
            parts.append(Figure.bytes(Int64(progress.bytesPerSecond)) + "/s")
        }
        if let seconds = remainingSeconds(progress) { parts.append(Figure.clock(seconds) + " left") }
        return parts.joined(separator: "  ")
    }

    private static func bar(_ fraction: Double) -> String {
        let filled = Int(fraction * Double(width))
        let percent = String(Int(fraction * 100))
        return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled) + "] "
            + String(repeating: " ", count: 3 - percent.count) + percent + "%"
    }

    /// Nil when it cannot be told, or is beyond all patience.
    private static func remainingSeconds(_ progress: DownloadProgress) -> Int? {
        let missing = Double(progress.totalBytes - progress.bytesReceived)
        guard missing > 0, progress.bytesPerSecond >= 1 else { return nil }
        let seconds = (missing / progress.bytesPerSecond).rounded(.up)
        return seconds < 360_000 ? Int(seconds) : nil
    }
}
