/// Which metadata a reading of the header keeps, and how much of it.
///
/// Everything else is checked and stepped over without being stored.
package struct GGUFCapture: Sendable {
    /// Whether every key is kept; otherwise `names`, `prefixes` and `suffixes` select.
    package var keepsAllKeys: Bool

    package var names: Set<String>
    package var prefixes: [String]
    package var suffixes: [String]

    /// Arrays whose elements are kept whatever their count is, within the memory limit.
    package var wholeArrays: Set<String>

    /// Other selected arrays keep their elements up to this count.
    package var maximumElements: UInt64

    /// Longer strings count as absent.
    package var maximumStringBytes: UInt64 = 4 << 20

    /// What one reading may keep in all; keys and elements that do not fit count as absent or skipped.
    package var memoryLimit: UInt64 = 64 << 20

    /// Whether reading ends as soon as every key in `names` was met.
    ///
    /// Ignored with `keepsAllKeys`, prefixes or suffixes, which only the last key can rule out.
    package var stopsEarly: Bool

    /// Keeps the selected keys only.
    package init(
        names: Set<String>, prefixes: [String] = [], suffixes: [String] = [], wholeArrays: Set<String> = [],
        maximumElements: UInt64 = 64, stopsEarly: Bool = false
    ) {
        keepsAllKeys = false
        self.names = names
        self.prefixes = prefixes
        self.suffixes = suffixes
        self.wholeArrays = wholeArrays
        self.maximumElements = maximumElements
        self.stopsEarly = stopsEarly
    }

    /// Keeps every key, and the elements of arrays up to `maximumElements`.
    package static func all(maximumElements: UInt64 = 64, wholeArrays: Set<String> = []) -> GGUFCapture {
        var capture = GGUFCapture(names: [], wholeArrays: wholeArrays, maximumElements: maximumElements)
        capture.keepsAllKeys = true
        return capture
    }

    func selects(_ key: String) -> Bool {
        keepsAllKeys || names.contains(key) || wholeArrays.contains(key)
            || prefixes.contains { key.utf8.count > $0.utf8.count && key.hasPrefix($0) }
            || suffixes.contains { key.utf8.count > $0.utf8.count && key.hasSuffix($0) }
    }

    func keepsElements(of key: String, count: UInt64) -> Bool {
        count <= maximumElements || wholeArrays.contains(key)
    }

    /// The number of keys after which reading may stop, or nil when it must go through all of them.
    var earlyStopCount: Int? {
        let isExact = !keepsAllKeys && prefixes.isEmpty && suffixes.isEmpty
        return stopsEarly && isExact ? names.union(wholeArrays).count : nil
    }
}

/// The memory that one reading may still keep.
struct CaptureBudget {
    private(set) var left: UInt64

    /// Takes `count` bytes, or none when they do not fit.
    mutating func take(_ count: UInt64) -> Bool {
        guard count <= left else { return false }
        left -= count
        return true
    }
}
