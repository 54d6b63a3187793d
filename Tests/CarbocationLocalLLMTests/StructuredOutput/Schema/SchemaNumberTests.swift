import Testing

@testable import CarbocationLocalLLM

@Suite struct SchemaNumberTests {
    private static let bounds = [-1000, -110, -100, -99, -10, -9, -1, 0, 1, 5, 9, 10, 11, 19, 99, 100, 109, 255, 1000]

    @Test("G10: every pair of bounds", arguments: bounds)
    func integers(lower: Int) throws {
        for upper in Self.bounds where upper >= lower {
            let matcher = try GBNFMatcher(schema: #"{"type":"integer","minimum":\#(lower),"maximum":\#(upper)}"#)
            for value in -1100...1100 where value % 37 == 0 || Self.bounds.contains(where: { abs($0 - value) < 3 }) {
                #expect(matcher.matches(String(value)) == (lower...upper).contains(value))
            }
            #expect(!matcher.matches("-0"))
            #expect(!matcher.matches("00"))
            #expect(!matcher.matches("0\(upper)"))
        }
    }

    @Test(
        "Numbers with fractions",
        arguments: [
            SchemaCase(
                #"{"type":"number","minimum":0,"maximum":1}"#, accepts: ["0", "1", "0.5", "1.0", "1.00", "0.999"],
                rejects: ["-0.1", "1.001", "2", "10", "1.", "00.5", "1e0", "-1"]),
            SchemaCase(
                #"{"type":"number","exclusiveMinimum":0}"#, accepts: ["0.1", "0.0001", "1", "1000"],
                rejects: ["0", "0.0", "-1", "-0.5"]),
            SchemaCase(
                #"{"type":"number","exclusiveMaximum":0}"#, accepts: ["-0.1", "-1", "-1000.5"],
                rejects: ["0", "0.0", "-0.0", "0.1", "1"]),
            SchemaCase(
                #"{"type":"number","minimum":-2.5,"exclusiveMaximum":-1.25}"#,
                accepts: ["-2.5", "-2", "-1.26", "-2.49"],
                rejects: ["-1.25", "-2.51", "-1", "0", "2", "-3", "-12"]),
            SchemaCase(
                #"{"type":"number","minimum":99.5,"maximum":100.5}"#, accepts: ["99.5", "100", "100.5", "99.75"],
                rejects: ["99.4", "100.6", "9", "1000"]),
            SchemaCase(
                #"{"type":"number","maximum":1e30}"#,
                accepts: ["1000000000000000000000000000000", "-5", "0.5"], rejects: ["1000000000000000000000000000001"]),
            SchemaCase(
                #"{"type":"number","minimum":1e-5}"#, accepts: ["0.00001", "1"], rejects: ["0.000001", "0", "0.000009"]),
            SchemaCase(
                #"{"type":"number","minimum":3,"exclusiveMinimum":true}"#, accepts: ["3.1", "4"], rejects: ["3", "3.0"]),
            SchemaCase(#"{"minimum":18}"#, accepts: ["18", "18.5"], rejects: ["17.99", #""x""#]),
        ])
    func fractions(schemaCase: SchemaCase) throws {
        try schemaCase.check()
    }

    @Test("Bounds beyond a double's precision are exact")
    func largeIntegers() throws {
        try SchemaCase(
            #"{"type":"integer","minimum":9007199254740993}"#, accepts: ["9007199254740993", "90071992547409920"],
            rejects: ["9007199254740992"]
        ).check()
        try SchemaCase(
            #"{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}"#,
            accepts: ["9223372036854775807", "-9223372036854775808"],
            rejects: ["9223372036854775808", "-9223372036854775809"]
        ).check()
    }

    @Test("Multiples of whole numbers", arguments: [1, 2, 3, 5, 7, 10, 12, 25, 100])
    func multiples(divisor: Int) throws {
        let matcher = try GBNFMatcher(schema: #"{"type":"integer","multipleOf":\#(divisor),"maximum":500}"#)
        for value in -300...510 {
            #expect(matcher.matches(String(value)) == (value % divisor == 0 && value <= 500))
        }
    }

    @Test(
        "Multiples of fractions",
        arguments: [
            SchemaCase(
                #"{"type":"number","multipleOf":0.25,"minimum":0}"#, accepts: ["0.25", "1.5", "2", "2.0", "0.50"],
                rejects: ["0.2", "1.255", "0.125"]),
            SchemaCase(
                #"{"type":"number","multipleOf":0.01}"#, accepts: ["19.99", "5", "-0.01"], rejects: ["0.001", "19.999"]),
            SchemaCase(
                #"{"type":"integer","allOf":[{"multipleOf":2},{"multipleOf":3}]}"#, accepts: ["0", "6", "-12"],
                rejects: ["2", "3", "9"]),
        ])
    func fractionMultiples(schemaCase: SchemaCase) throws {
        try schemaCase.check()
    }

    @Test("Decimal numbers compare by their digits")
    func comparison() throws {
        let values: [LLMJSONValue] = [-100, -10.5, -10, -9, -1e-9, 0, 1e-9, 0.1, 0.11, 0.2, 1, 1.5, 10, 99, 1e20, 1e21]
        let numbers = try values.map { try #require(DecimalNumber($0)) }
        for (one, left) in numbers.enumerated() {
            for (other, right) in numbers.enumerated() { #expect((left < right) == (one < other)) }
        }
        #expect(DecimalNumber(.double(1e3)) == DecimalNumber(1000))
        #expect(DecimalNumber(.double(-0.0)) == DecimalNumber(0))
        #expect(DecimalNumber("1") == nil)
    }
}
