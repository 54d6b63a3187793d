/// A set of Unicode scalars.
struct ScalarSet: Hashable, Sendable {
    /// In order, apart from each other, without surrogates.
    let ranges: [ClosedRange<UInt32>]

    static let all = ScalarSet([0...0x10FFFF])
    static let none = ScalarSet([])

    init(_ ranges: [ClosedRange<UInt32>]) {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.flatMap(Self.withoutSurrogates).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
    }

    init(_ scalar: Unicode.Scalar) {
        self.init([scalar.value...scalar.value])
    }

    init(_ characters: String) {
        self.init(characters.unicodeScalars.map { $0.value...$0.value })
    }

    var isEmpty: Bool { ranges.isEmpty }

    /// The only member, if there is just one.
    var onlyMember: Unicode.Scalar? {
        guard ranges.count == 1, ranges[0].count == 1 else { return nil }
        return Unicode.Scalar(ranges[0].lowerBound)
    }

    var complement: ScalarSet {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { gaps.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= 0x10FFFF { gaps.append(next...0x10FFFF) }
        return ScalarSet(gaps)
    }

    func contains(_ value: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(value)
    }

    func union(_ other: ScalarSet) -> ScalarSet {
        ScalarSet(ranges + other.ranges)
    }

    func intersection(_ other: ScalarSet) -> ScalarSet {
        var result: [ClosedRange<UInt32>] = []
        var left = ranges[...]
        var right = other.ranges[...]
        while let one = left.first, let two = right.first {
            if one.overlaps(two) { result.append(one.clamped(to: two)) }
            if one.upperBound < two.upperBound { left.removeFirst() } else { right.removeFirst() }
        }
        return ScalarSet(result)
    }

    func subtracting(_ other: ScalarSet) -> ScalarSet {
        intersection(other.complement)
    }

    private static func withoutSurrogates(_ range: ClosedRange<UInt32>) -> [ClosedRange<UInt32>] {
        guard range.overlaps(0xD800...0xDFFF) else { return [range] }
        var parts: [ClosedRange<UInt32>] = []
        if range.lowerBound < 0xD800 { parts.append(range.lowerBound...0xD7FF) }
        if range.upperBound > 0xDFFF { parts.append(0xE000...range.upperBound) }
        return parts
    }
}
