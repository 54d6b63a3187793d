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

    /// A size in units of 1000, as file managers show it.
    static func bytes(_ count: Int64) -> String {
        let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
        guard count.magnitude >= 1000 else { return "\(count) B" }
        var value = Double(count) / 1000
        var unit = 0
        // 999.5 and more would be shown as 1000 of a unit.
        while abs(value) >= 999.5, unit + 1 < units.count {
            value /= 1000
            unit += 1
        }
        return String(format: abs(value) < 9.95 ? "%.1f" : "%.0f", value) + " " + units[unit]
    }

    /// A time as `m:ss` or `h:mm:ss`.
    static func clock(_ seconds: Int) -> String {
        let minutes = seconds / 60
        guard minutes >= 60 else { return String(format: "%d:%02d", minutes, seconds % 60) }
        return String(format: "%d:%02d:%02d", minutes / 60, minutes % 60, seconds % 60)
    }
}
