/// The speed of a download over the last five seconds.
struct DownloadMeter: Sendable {
    static let window = Duration.seconds(5)

    /// Time and bytes received until then, oldest first; the first may be older than the window.
    private var samples: [(time: Duration, bytes: Int64)] = []

    /// Notes how many bytes this call has received in all until now.
    mutating func record(_ bytes: Int64, at time: Duration) {
        samples.append((time, bytes))
        // One sample at or before the window's edge stays, to measure from.
        while samples.count > 2, samples[1].time <= time - Self.window { samples.removeFirst() }
    }

    /// The speed at the time of the last sample.
    var bytesPerSecond: Double {
        guard let first = samples.first, let last = samples.last, last.time > first.time else { return 0 }
        return Double(max(last.bytes - first.bytes, 0)) / (last.time - first.time).inSeconds
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
