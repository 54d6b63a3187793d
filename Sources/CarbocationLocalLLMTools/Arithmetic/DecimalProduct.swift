/// A product of decimals that is exact up to 500 digits.
///
/// Longer ones lose their last digits, which bounds the time that powers and long lists of factors take. A number so
/// long has no short form, so wherever it is written it is rounded anyway.
package struct DecimalProduct: Sendable, Hashable {
    private static let maximumDigits = 500

    /// The product or, if it was truncated, a number that is a little closer to zero.
    ///
    /// Each factor that was truncated adds less than some units in the last of the digits that are kept; results are
    /// rounded to far fewer.
    package private(set) var value: ExactDecimal
    package private(set) var isTruncated: Bool

    /// The product of one factor, exact however long it is.
    package init(_ factor: ExactDecimal) {
        value = factor
        isTruncated = false
    }

    /// The product of all factors; one for none.
    ///
    /// They are multiplied in pairs, then the products in pairs, and so on: one after another, each short factor would
    /// cost as much as the whole product is long.
    package init(of factors: [ExactDecimal]) {
        var products = factors.map { DecimalProduct($0) }
        while products.count > 1 {
            products = stride(from: 0, to: products.count, by: 2).map { index in
                index + 1 < products.count ? products[index] * products[index + 1] : products[index]
            }
        }
        self = products.first ?? DecimalProduct(.one)
    }

    /// The base to the power of an exponent that is not negative; to the power of 0 it is one, also for zero.
    package init(_ base: ExactDecimal, raisedTo exponent: Int) {
        var result = DecimalProduct(.one)
        var square = DecimalProduct(base)
        var rest = exponent
        while rest > 0 {
            if !rest.isMultiple(of: 2) { result = result * square }
            rest /= 2
            if rest > 0 { square = square * square }
        }
        self = result
    }

    /// The product with at most so many significant digits.
    package func rounded(toDigits count: Int) -> RoundedDecimal {
        value.rounded(toDigits: count, tail: isTruncated ? .more : .nothing)
    }

    package static func * (lhs: DecimalProduct, rhs: DecimalProduct) -> DecimalProduct {
        var product = DecimalProduct(lhs.value * rhs.value)
        var digits = product.value.significand
        let dropped = digits.dropLowest(keeping: maximumDigits)
        if dropped > 0 {
            product.value = ExactDecimal(
                isNegative: product.value.isNegative, significand: digits,
                exponent: product.value.exponent + dropped)
        }
        // Nothing is left to be added to a product that is zero.
        product.isTruncated = (lhs.isTruncated || rhs.isTruncated || dropped > 0) && !product.value.isZero
        return product
    }
}
