import CarbocationLocalLLM
import CarbocationLocalLLMTools
import TestSupport
import Testing

@Suite("Exact decimals")
struct ExactDecimalTests {
    private func decimal(_ text: String) throws -> ExactDecimal {
        try #require(ExactDecimal(text), "\(text)")
    }

    @Test(
        "texts in JSON's syntax",
        arguments: [
            ("0", "0"), ("-0", "0"), ("0.0", "0"), ("0e999999999999999999999", "0"), ("12", "12"), ("-12.50", "-12.5"),
            ("1e3", "1000"), ("1E+3", "1000"), ("25e-2", "0.25"), ("0.001", "0.001"), ("120.00", "120"),
            ("1000000000", "1000000000"), ("999999999999999999", "999999999999999999"), ("1.0e0", "1"),
            ("123456789012345678901234567890.5", "123456789012345678901234567890.5"),
        ])
    func texts(text: String, plain: String) throws {
        #expect(try decimal(text).plainText == plain)
        #expect(try decimal(plain) == decimal(text))
    }

    @Test(
        "U10: what is no number",
        arguments: [
            "", " ", "-", "+1", ".5", "5.", "01", "-01", "1e", "1e+", "1e1.5", "1 ", " 1", "1,5", "1_000", "0x10",
            "0b1",
            "nan", "NaN", "inf", "Infinity", "-Infinity", "1abc", "2*/3", "(", "١٢", "１２", "1e５", "½", "1\u{0}", "--1",
            "1e--2",
        ])
    func noNumbers(text: String) {
        #expect(ExactDecimal(text) == nil)
    }

    @Test("texts of up to 1,000 bytes are read")
    func length() {
        #expect(ExactDecimal(String(repeating: "9", count: 1_000)) != nil)
        #expect(ExactDecimal(String(repeating: "9", count: 1_001)) == nil)
    }

    @Test(
        "the place of the first digit, and scientific notation",
        arguments: [
            ("0", 0, "0"), ("1", 0, "1e0"), ("123", 2, "1.23e2"), ("-0.5", -1, "-5e-1"),
            ("1e999999999", 1_000_000, "1e1000000"),
            ("10.25", 1, "1.025e1"),
        ])
    func scientific(text: String, exponent: Int, scientific: String) throws {
        #expect(try decimal(text).scientificExponent == exponent)
        #expect(try decimal(text).scientificText == scientific)
    }

    @Test(
        "values of JSON",
        arguments: [
            (0.1, "0.1"), (-2.5, "-2.5"), (1e22, "10000000000000000000000"), (.double(.leastNonzeroMagnitude), nil),
            (.int(.min), "-9223372036854775808"),
            (.int(.max), "9223372036854775807"), ("1e2", "100"), (-0.0, "0"), (.double(.nan), nil),
            (.double(.infinity), nil),
            (nil, nil), (true, nil), ([1], nil), (["a": 1], nil), ("x", nil),
        ] as [(LLMJSONValue, String?)])
    func json(value: LLMJSONValue, plain: String?) {
        guard value != .double(.leastNonzeroMagnitude) else {
            #expect(value.exactDecimal?.scientificText == "5e-324")
            return
        }
        #expect(value.exactDecimal?.plainText == plain)
    }

    @Test(
        "numbers for JSON",
        arguments: [
            ("5", 5), ("-9223372036854775808", .int(.min)), ("9223372036854775808", 9_223_372_036_854_775_808.0),
            ("0.1", 0.1), ("1e18", 1_000_000_000_000_000_000), ("9007199254740993", 9_007_199_254_740_993), ("0", 0),
            ("9007199254740992.6", 9_007_199_254_740_992), ("1e309", nil), ("1e-400", nil), ("-1e400", nil),
        ] as [(String, LLMJSONValue?)])
    func jsonNumbers(text: String, value: LLMJSONValue?) throws {
        #expect(try decimal(text).jsonNumber == value)
    }

    @Test("sums and products of integers are those of the machine")
    func machine() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let left = Int64.random(in: -3_000_000_000...3_000_000_000, using: &random)
            let right =
                Int64.random(in: -3_000_000_000...3_000_000_000, using: &random)
                >> Int64.random(in: 0...31, using: &random)
            #expect(ExactDecimal(left) + ExactDecimal(right) == ExactDecimal(left + right))
            #expect(ExactDecimal(left) - ExactDecimal(right) == ExactDecimal(left - right))
            let (product, overflow) = left.multipliedReportingOverflow(by: right)
            if !overflow { #expect(ExactDecimal(left) * ExactDecimal(right) == ExactDecimal(product)) }
        }
    }

    @Test("long numbers: a product less its parts is zero, and texts come back")
    func identities() throws {
        var random = SeededGenerator(seed: 11)
        func number() throws -> ExactDecimal {
            let digits = (0..<Int.random(in: 1...80, using: &random)).map { _ in Int.random(in: 0...9, using: &random) }
            let exponent = Int.random(in: -50...50, using: &random)
            return try decimal("-1" + digits.map(String.init).joined() + "e\(exponent)")
        }
        for _ in 0..<300 {
            let (a, b, c) = (try number(), -(try number()), try number())
            #expect((a + b) * c - a * c - b * c == .zero)
            #expect((a - b) * (a + b) == a * a - b * b)
            #expect(try decimal((a * b).plainText) == a * b)
            #expect(try decimal((a * b).scientificText) == a * b)
        }
    }

    @Test(
        "rounding to three digits, halfway to the even one",
        arguments: [
            ("123", "123", true), ("1234", "1230", false), ("1235", "1240", false), ("1245", "1240", false),
            ("-1235", "-1240", false), ("12450000001", "12500000000", false), ("9995", "10000", false),
            ("0.0012345", "0.00123", false), ("1.2351", "1.24", false), ("1000000", "1000000", true),
        ])
    func rounding(text: String, rounded: String, isExact: Bool) throws {
        let result = try decimal(text).rounded(toDigits: 3)
        #expect(result.value.plainText == rounded)
        #expect(result.isExact == isExact)
    }

    @Test("what is beyond the digits decides halfway, and is never exact")
    func tails() throws {
        let half = try decimal("1245")
        #expect(half.rounded(toDigits: 3, tail: .more).value.plainText == "1250")
        #expect(half.rounded(toDigits: 3, tail: .less).value.plainText == "1240")
        #expect(try decimal("1235").rounded(toDigits: 3, tail: .less).value.plainText == "1230")
        #expect(try !decimal("12").rounded(toDigits: 3, tail: .more).isExact)
    }

    @Test("products of many factors keep what matters")
    func products() throws {
        #expect(DecimalProduct(of: []).value == .one)
        let halves = Array(repeating: try decimal("0.5"), count: 700) + Array(repeating: try decimal("2"), count: 700)
        let whole = DecimalProduct(of: halves).rounded(toDigits: 38)
        #expect(whole.value == .one)
        #expect(whole.isExact)
        let long = DecimalProduct(try decimal("1.0000000000000000000000000000000000001"), raisedTo: 1_000)
        #expect(long.isTruncated)
        #expect(!long.rounded(toDigits: 38).isExact)
        #expect(long.rounded(toDigits: 38).value.plainText == "1.0000000000000000000000000000000001")
        let nothing = (long * DecimalProduct(.zero)).rounded(toDigits: 38)
        #expect(nothing.value == .zero)
        #expect(nothing.isExact)
    }

    @Test(
        "quotients",
        arguments: [
            ("10", "4", "2.5", true), ("1", "3", "0.33333", false), ("2", "3", "0.66667", false),
            ("-1", "8", "-0.125", true),
            ("1", "-1000", "-0.001", true), ("123456", "1", "123460", false), ("0", "7", "0", true),
            ("100001", "100000", "1", false), ("1e-50", "1e50", "1e-100", true), ("3", "7e-9", "428570000", false),
        ])
    func quotients(dividend: String, divisor: String, quotient: String, isExact: Bool) throws {
        let divisor = DecimalProduct(try decimal(divisor))
        let result = try #require(DecimalQuotient(try decimal(dividend), by: divisor, digits: 5)).rounded(toDigits: 5)
        #expect(try result.value == decimal(quotient))
        #expect(result.isExact == isExact)
    }

    @Test("there is no quotient by zero")
    func zero() {
        #expect(DecimalQuotient(.one, by: DecimalProduct(.zero), digits: 5) == nil)
        #expect(DecimalQuotient(.zero, by: DecimalProduct(.zero), digits: 5) == nil)
    }
}
