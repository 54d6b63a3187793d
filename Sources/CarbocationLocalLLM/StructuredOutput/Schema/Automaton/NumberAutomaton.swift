/// The machine of the JSON numbers within a range, written without exponent and without needless zeros in front.
struct NumberAutomaton {
    /// How many digits are enough for a whole number that fits 64 bits.
    static let integerDigits = 18
    /// How many digits are enough for multiples without bounds.
    private static let multipleDigits = 9
    /// How many digits after the point are enough for any double that is not tiny.
    static let fractionDigits = 18
    /// How many digits a double always tells apart.
    private static let significantDigits = 15

    private static let digitSets = (UInt32(0x30)...0x39).map { ScalarSet([$0...$0]) }

    private enum Phase: Hashable {
        case start, sign, zero, integer, point, fraction
    }

    private struct Progress: Hashable {
        var phase = Phase.start
        var isNegative = false
        /// Of a number that may be a negative zero, whether it is one so far.
        var isZero = true
        var integerCount = 0
        var fractionCount = 0
        /// How the digits so far compare with those of the bound, as far as these go: −1, 0 or 1.
        var lowerOrder = 0
        var upperOrder = 0
        /// Of the digits so far, for each multiple.
        var remainders: [Int]
    }

    private let range: NumberRange
    private let maximumIntegerCount: Int
    private let maximumFractionCount: Int
    /// Whether a negative zero has to be told from other negative numbers.
    private let tellsZero: Bool

    /// The numbers of `range`, only whole ones if `isInteger`.
    static func accepting(
        _ range: NumberRange, isInteger: Bool
    ) throws(TextAutomaton.TooLarge) -> TextAutomaton {
        let machine = NumberAutomaton(range, isInteger: isInteger)
        let start = Progress(remainders: range.multiples.map { _ in 0 })
        return try TextAutomaton(from: start, accepts: machine.accepts) { progress throws(TextAutomaton.TooLarge) in
            machine.step(from: progress)
        }
    }

    private init(_ range: NumberRange, isInteger: Bool) {
        self.range = range
        let bounds = [range.lower, range.upper].compactMap { $0?.number }
        let integers = bounds.map(\.integerDigits.count).max() ?? 1
        // Each count has all remainders of multiples of its own, so there it should not be high.
        let enough = range.multiples.isEmpty ? Self.integerDigits : Self.multipleDigits
        maximumIntegerCount = max(enough, integers)
        tellsZero = range.upper.map { $0.isExclusive && $0.number.isZero } ?? false
        let needed = (bounds.map(\.fractionDigits.count) + range.multiples.map(\.scale)).max() ?? 0
        maximumFractionCount = isInteger ? 0 : max(needed, Self.usefulFractionCount(range), 1)
    }

    /// How many digits after the point are of use.
    private static func usefulFractionCount(_ range: NumberRange) -> Int {
        // Multiples have no more digits than they need.
        guard range.multiples.isEmpty else { return 0 }
        // With too many digits, readers would round a number onto a bound that is itself excluded. Near zero they do not.
        let excluded = [range.lower, range.upper].compactMap { $0 }.filter { $0.isExclusive && !$0.number.isZero }
        let integers = excluded.map(\.number.integerDigits.count).max()
        return integers.map { significantDigits - $0 } ?? fractionDigits
    }

    private func step(from progress: Progress) -> [(ScalarSet, Progress)] {
        switch progress.phase {
        case .start:
            var negative = progress
            negative.phase = .sign
            negative.isNegative = true
            return [(ScalarSet("-"), negative)] + digits(after: progress)
        case .sign:
            return digits(after: progress)
        case .integer where progress.integerCount < maximumIntegerCount:
            return digits(after: progress) + point(after: progress)
        case .zero, .integer:
            return point(after: progress)
        case .point:
            return digits(after: progress)
        case .fraction:
            return progress.fractionCount < maximumFractionCount ? digits(after: progress) : []
        }
    }

    private func point(after progress: Progress) -> [(ScalarSet, Progress)] {
        guard maximumFractionCount > 0 else { return [] }
        var next = progress
        next.phase = .point
        next.lowerOrder = orderOfIntegers(progress.lowerOrder, progress, range.lower)
        next.upperOrder = orderOfIntegers(progress.upperOrder, progress, range.upper)
        next.integerCount = 0
        return [(ScalarSet("."), next)]
    }

    private func digits(after progress: Progress) -> [(ScalarSet, Progress)] {
        (0...9).map { (Self.digitSets[$0], reading($0, after: progress)) }
    }

    private func reading(_ digit: Int, after progress: Progress) -> Progress {
        var next = progress
        next.isZero = tellsZero && progress.isZero && digit == 0
        if progress.phase == .point || progress.phase == .fraction {
            next.phase = .fraction
            next.lowerOrder = order(
                progress.lowerOrder, digit, range.lower?.number.fractionDigits, progress.fractionCount)
            next.upperOrder = order(
                progress.upperOrder, digit, range.upper?.number.fractionDigits, progress.fractionCount)
            next.remainders = remainders(progress, digit, isFraction: true)
            next.fractionCount += 1
        } else {
            next.phase = progress.integerCount == 0 && digit == 0 ? .zero : .integer
            next.lowerOrder = order(
                progress.lowerOrder, digit, range.lower?.number.integerDigits, progress.integerCount)
            next.upperOrder = order(
                progress.upperOrder, digit, range.upper?.number.integerDigits, progress.integerCount)
            next.remainders = remainders(progress, digit, isFraction: false)
            next.integerCount += 1
        }
        return next
    }

    /// The order after one more digit, which stands at `place`; beyond a bound's digits are zeros.
    private func order(_ order: Int, _ digit: Int, _ bound: [Int]?, _ place: Int) -> Int {
        guard let bound, order == 0 else { return order }
        let other = place < bound.count ? bound[place] : 0
        return digit == other ? 0 : digit < other ? -1 : 1
    }

    /// The order of the integer parts, whose lengths count first.
    private func orderOfIntegers(_ order: Int, _ progress: Progress, _ bound: NumberRange.Bound?) -> Int {
        guard let length = bound?.number.integerDigits.count else { return 0 }
        if progress.integerCount != length { return progress.integerCount < length ? -1 : 1 }
        return order
    }

    private func remainders(_ progress: Progress, _ digit: Int, isFraction: Bool) -> [Int] {
        zip(range.multiples, progress.remainders).map { multiple, remainder in
            guard !isFraction || progress.fractionCount < multiple.scale else {
                // Digits that no multiple has.
                return digit == 0 ? remainder : multiple.coefficient
            }
            guard remainder < multiple.coefficient else { return remainder }
            return (remainder * 10 + digit) % multiple.coefficient
        }
    }
}

extension NumberAutomaton {
    private func accepts(_ progress: Progress) -> Bool {
        switch progress.phase {
        case .zero where progress.isNegative: return false
        case .zero, .integer, .fraction: break
        case .start, .sign, .point: return false
        }
        if progress.isNegative, progress.isZero, tellsZero { return false }
        if let lower = range.lower {
            let order = signedOrder(progress, progress.lowerOrder, lower)
            guard order > 0 || (order == 0 && !lower.isExclusive) else { return false }
        }
        if let upper = range.upper {
            let order = signedOrder(progress, progress.upperOrder, upper)
            guard order < 0 || (order == 0 && !upper.isExclusive) else { return false }
        }
        return zip(range.multiples, progress.remainders).allSatisfy { multiple, remainder in
            var rest = remainder
            for _ in 0..<max(0, multiple.scale - progress.fractionCount) {
                rest = rest * 10 % multiple.coefficient
            }
            return rest == 0
        }
    }

    /// How the whole number compares with a bound.
    private func signedOrder(_ progress: Progress, _ digitOrder: Int, _ bound: NumberRange.Bound) -> Int {
        guard progress.isNegative == bound.number.isNegative else { return progress.isNegative ? -1 : 1 }
        var order = digitOrder
        var place = progress.fractionCount
        if progress.phase != .fraction {
            order = orderOfIntegers(digitOrder, progress, bound)
            place = 0
        }
        if order == 0, place < bound.number.fractionDigits.count { order = -1 }
        return progress.isNegative ? -order : order
    }
}
