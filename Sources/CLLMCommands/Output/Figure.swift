import Foundation

/// Measured values as text.
enum Figure {
    static func milliseconds(_ time: Duration) -> String {
        String(format: "%.0f ms", time / .milliseconds(1))
    }

    static func seconds(_ time: Duration) -> String {
        String(format: "%.3f s", time / .seconds(1))
    }

    static func rate(_ tokensPerSecond: Double) -> String {
        String(format: "%.1f tokens/s", tokensPerSecond)
    }

    static func mebibytes(_ bytes: Int) -> String {
        String(format: "%.1f MiB", Double(bytes) / 1_048_576)
    }
}
