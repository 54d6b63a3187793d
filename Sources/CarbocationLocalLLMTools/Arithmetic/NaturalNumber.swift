/// A whole number of any size that is not negative.
///
/// Kept in groups of decimal digits, because what it is used for asks for decimal digits and powers of ten: both are
/// cheap and exact. Sums take time in proportion to the digits, products to the product of both numbers of digits.
package struct NaturalNumber: Sendable, Hashable {
    static let digitsPerGroup = 9
    private static let base: UInt64 = 1_000_000_000

    /// Nine decimal digits each, the lowest first; the highest group is not 0, and zero has no groups.
    private var groups: [UInt32]

    private init(groups: [UInt32]) {
        self.groups = groups
        removeLeadingZeros()
    }

    /// The number whose decimal digits, 0 to 9 each, are these, the highest first.
    package init(digits: [UInt8]) {
        groups = []
        var group: UInt32 = 0
        var unit: UInt32 = 1
        for index in digits.indices.reversed() {
            group += UInt32(digits[index]) * unit
            unit *= 10
            guard unit == Self.base else { continue }
            groups.append(group)
            (group, unit) = (0, 1)
        }
        groups.append(group)
        removeLeadingZeros()
    }

    package static let one = NaturalNumber(groups: [1])

    package var isZero: Bool { groups.isEmpty }

    /// The decimal digits, the highest first and not 0; none for zero.
    package var digits: [UInt8] {
        var digits: [UInt8] = []
        digits.reserveCapacity(groups.count * Self.digitsPerGroup)
        for group in groups {
            var rest = group
            for _ in 0..<Self.digitsPerGroup {
                digits.append(UInt8(rest % 10))
                rest /= 10
            }
        }
        while digits.last == 0 { digits.removeLast() }
        digits.reverse()
        return digits
    }

    package var digitCount: Int {
        guard var highest = groups.last else { return 0 }
        var count = (groups.count - 1) * Self.digitsPerGroup
        while highest > 0 {
            highest /= 10
            count += 1
        }
        return count
    }

    private mutating func removeLeadingZeros() {
        while groups.last == 0 { groups.removeLast() }
    }
}

extension NaturalNumber {
    /// The number times a power of ten, whose exponent is not negative.
    package func shifted(by exponent: Int) -> NaturalNumber {
        guard !isZero, exponent > 0 else { return self }
        let (wholeGroups, rest) = exponent.quotientAndRemainder(dividingBy: Self.digitsPerGroup)
        var shifted = self
        shifted.multiply(by: Self.powerOfTen(rest))
        shifted.groups.insert(contentsOf: repeatElement(0, count: wholeGroups), at: 0)
        return shifted
    }

    /// Removes the zeros at the end and gives their number.
    package mutating func removeTrailingZeros() -> Int {
        guard let firstFilled = groups.firstIndex(where: { $0 != 0 }) else { return 0 }
        groups.removeFirst(firstFilled)
        var count = 0
        var lowest = groups[0]
        while lowest.isMultiple(of: 10) {
            lowest /= 10
            count += 1
        }
        if count > 0 { divide(by: Self.powerOfTen(count)) }
        return firstFilled * Self.digitsPerGroup + count
    }

    /// Drops digits at the end until at most `count` or a few more are left, and gives how many were dropped.
    package mutating func dropLowest(keeping count: Int) -> Int {
        let excess = groups.count - (count + Self.digitsPerGroup - 1) / Self.digitsPerGroup
        guard excess > 0 else { return 0 }
        groups.removeFirst(excess)
        return excess * Self.digitsPerGroup
    }

    /// Multiplies by a number that is less than 2³².
    package mutating func multiply(by factor: UInt32) {
        var carry: UInt64 = 0
        for index in groups.indices {
            let product = UInt64(groups[index]) * UInt64(factor) + carry
            groups[index] = UInt32(product % Self.base)
            carry = product / Self.base
        }
        while carry > 0 {
            groups.append(UInt32(carry % Self.base))
            carry /= Self.base
        }
        removeLeadingZeros()
    }

    /// Divides by a number that is not 0, without a remainder.
    private mutating func divide(by divisor: UInt32) {
        var remainder: UInt64 = 0
        for index in groups.indices.reversed() {
            let dividend = remainder * Self.base + UInt64(groups[index])
            groups[index] = UInt32(dividend / UInt64(divisor))
            remainder = dividend % UInt64(divisor)
        }
        removeLeadingZeros()
    }

    private static func powerOfTen(_ exponent: Int) -> UInt32 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}

extension NaturalNumber: Comparable {
    package static func < (lhs: NaturalNumber, rhs: NaturalNumber) -> Bool {
        guard lhs.groups.count == rhs.groups.count else { return lhs.groups.count < rhs.groups.count }
        return lhs.groups.reversed().lexicographicallyPrecedes(rhs.groups.reversed())
    }

    package static func + (lhs: NaturalNumber, rhs: NaturalNumber) -> NaturalNumber {
        var sum = lhs.groups
        var carry: UInt64 = 0
        for index in 0..<max(lhs.groups.count, rhs.groups.count) {
            if index == sum.count { sum.append(0) }
            let addend = index < rhs.groups.count ? UInt64(rhs.groups[index]) : 0
            let total = UInt64(sum[index]) + addend + carry
            sum[index] = UInt32(total % base)
            carry = total / base
        }
        if carry > 0 { sum.append(UInt32(carry)) }
        return NaturalNumber(groups: sum)
    }

    /// The difference; the right number must not be greater than the left one.
    package static func - (lhs: NaturalNumber, rhs: NaturalNumber) -> NaturalNumber {
        var difference = lhs.groups
        var borrow: UInt64 = 0
        for index in difference.indices {
            let subtrahend = (index < rhs.groups.count ? UInt64(rhs.groups[index]) : 0) + borrow
            let minuend = UInt64(difference[index])
            borrow = minuend < subtrahend ? 1 : 0
            difference[index] = UInt32(minuend + borrow * base - subtrahend)
        }
        return NaturalNumber(groups: difference)
    }

    package static func * (lhs: NaturalNumber, rhs: NaturalNumber) -> NaturalNumber {
        guard !lhs.isZero, !rhs.isZero else { return NaturalNumber(groups: []) }
        var product = [UInt32](repeating: 0, count: lhs.groups.count + rhs.groups.count)
        for (offset, factor) in lhs.groups.enumerated() {
            var carry: UInt64 = 0
            for index in rhs.groups.indices {
                let total = UInt64(factor) * UInt64(rhs.groups[index]) + UInt64(product[offset + index]) + carry
                product[offset + index] = UInt32(total % base)
                carry = total / base
            }
            product[offset + rhs.groups.count] = UInt32(carry)
        }
        return NaturalNumber(groups: product)
    }
}
