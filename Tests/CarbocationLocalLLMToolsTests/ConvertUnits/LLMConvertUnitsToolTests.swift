import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Foundation
import Testing

@Suite("The tool convert_units")
struct LLMConvertUnitsToolTests {
    /// A conversion and its result.
    struct Sample: Sendable, CustomTestStringConvertible {
        let value: LLMJSONValue
        let from: String
        let to: String
        let result: LLMJSONValue

        init(_ value: LLMJSONValue, _ from: String, _ to: String, _ result: LLMJSONValue) {
            (self.value, self.from, self.to, self.result) = (value, from, to, result)
        }

        var testDescription: String { "\(value.jsonString()) \(from) in \(to)" }
    }

    private func convert(_ value: LLMJSONValue, _ from: String, _ to: String, _ category: LLMJSONValue? = nil)
        -> LLMJSONValue
    {
        var arguments: LLMJSONObject = ["value": value, "from_unit": .string(from), "to_unit": .string(to)]
        arguments["category"] = category
        return LLMConvertUnitsTool.convert(arguments: .object(arguments))
    }

    private func message(_ output: LLMJSONValue) throws -> String {
        #expect(output.objectValue?.keys == ["ok", "error"])
        #expect(output.value(forKey: "ok") == false)
        #expect(output.value(forKey: "error")?.string(forKey: "code") == "invalid_arguments")
        return try #require(output.value(forKey: "error")?.string(forKey: "message"))
    }

    @Test("BT-3: the whole answer")
    func answer() {
        let output = convert("12", "mile", "KM", "length")
        #expect(
            output.jsonString()
                == #"{"ok":true,"category":"length","value":12,"from_unit":"mile","to_unit":"KM","#
                + #""from_unit_canonical":"miles","to_unit_canonical":"kilometers","#
                + #""converted_value":19.312128,"converted_value_text":"19.312128"}"#)
    }

    static let samples: [Sample] = [
        Sample(1, "mile", "foot", 5_280), Sample(1, "mile", "km", 1.609344), Sample(1, "in", "cm", 2.54),
        Sample(1, "yd", "ft", 3),
        Sample(1, "stone", "pounds", 14), Sample(1, "lb", "oz", 16), Sample(1, "kg", "mg", 1_000_000),
        Sample(1, "t", "kg", 1_000),
        Sample(1, "gal", "cup", 16), Sample(1, "gal", "L", 3.785411784), Sample(1, "m3", "cm3", 1_000_000),
        Sample(1, "L", "mm3", 1_000_000),
        Sample(1, "cup", "fl oz", 8), Sample(1, "qt", "pt", 2), Sample(1, "gallon", "fl_oz", 128),
        Sample(1, "m³", "l", 1_000),
        Sample(16, "oz", "kg", 0.45359237), Sample(16, "ounces", "kg", 0.45359237),
        Sample(8, "fl oz", "mL", 236.5882365),
        Sample(36, "km/h", "m/s", 10), Sample(1, "knot", "km/h", 1.852), Sample(1, "mph", "m/s", 0.44704),
        Sample(1, "mph", "km/h", 1.609344),
        Sample(-10, "C", "F", 14), Sample(-40, "F", "C", -40), Sample(100, "C", "F", 212), Sample(32, "F", "C", 0),
        Sample(0, "K", "C", -273.15),
        Sample(-273.15, "C", "K", 0), Sample("-459.67", "°F", "K", 0), Sample(98.6, "F", "C", 37),
        Sample(1, "tonne", "kg", 1_000),
        Sample(1, "g", "g", 1), Sample(-5, "m", "cm", -500), Sample(0, "mi", "km", 0), Sample(-0.0, "F", "F", 0),
        Sample(9_223_372_036_854_775_808.0, "m", "m", 9_223_372_036_854_775_808.0),
        Sample(.int(.min), "m", "m", .int(.min)),
        Sample(9_007_199_254_740_993, "mm", "mm", 9_007_199_254_740_993),
        Sample(.int(.max), "km", "m", 9.223372036854775807e21),
        Sample(.double(.leastNonzeroMagnitude), "kg", "kg", .double(.leastNonzeroMagnitude)),
        Sample(1.7976931348623157e308, "l", "l", 1.7976931348623157e308),
        Sample("1e3", "m", "km", 1), Sample(1e300, "C", "K", 1e300), Sample(1, "ft", "mi", .double(1 / 5280)),
        Sample(1, "m/s", "kt", .double(3600 / 1852.0)),
    ]

    @Test("BT-4, U02, U03, U04, U05: exact conversions", arguments: samples)
    func conversions(sample: Sample) {
        #expect(convert(sample.value, sample.from, sample.to).value(forKey: "converted_value") == sample.result)
    }

    @Test(
        "BT-3: the text has 12 significant digits",
        arguments: [
            (1, "ft", "mi", "0.000189393939394"), (1, "mi", "km", "1.609344"),
            (9_223_372_036_854_775_808.0, "m", "m", "9223372036850000000"),
            (1e300, "m", "km", "1e297"), (1, "mg", "t", "1e-9"), (1, "mg", "kg", "0.000001"),
            (123_456_789.123_456_7, "m", "m", "123456789.123"),
            (-1.5, "m", "mm", "-1500"), (0, "m", "m", "0"), (-1e22, "l", "l", "-1e22"),
            ("0.1234567890125", "m", "m", "0.123456789012"),
        ] as [(LLMJSONValue, String, String, String)])
    func texts(value: LLMJSONValue, from: String, to: String, text: String) {
        #expect(convert(value, from, to).string(forKey: "converted_value_text") == text)
    }

    @Test(
        "U07: letter case, signs of degrees, blanks and stops",
        arguments: [
            ("f", "fahrenheit"), ("F", "fahrenheit"), ("°F", "fahrenheit"), ("degF", "fahrenheit"),
            ("Fahrenheit", "fahrenheit"),
            (" KM ", "kilometers"), ("mi.", "miles"), ("feet", "feet"), ("M", "meters"), ("º C", "celsius"),
            ("℃", "celsius"), ("℉", "fahrenheit"),
            ("degrees Celsius", "celsius"), ("degree_fahrenheit", "fahrenheit"), ("DEG C", "celsius"),
            ("deg. C", "celsius"),
            ("\u{212A}", "kelvin"), ("kelvins", "kelvin"), ("Kilometre", "kilometers"), ("METRES", "meters"),
            ("Millilitres", "milliliters"),
            ("US gal", "gallons"), ("us_cups", "cups"), ("U.S. gallon", "gallons"), ("US fl. oz.", "fluid_ounces"),
            ("fl-oz", "fluid_ounces"),
            ("Fluid Ounces", "fluid_ounces"), ("FL.OZ.", "fluid_ounces"), ("fl\u{A0}oz", "fluid_ounces"),
            ("Km/H", "kilometers_per_hour"),
            ("kilometers per hour", "kilometers_per_hour"), ("kilometre/hour", "kilometers_per_hour"),
            ("miles / hour", "miles_per_hour"),
            ("m.p.h.", "miles_per_hour"), ("meter per second", "meters_per_second"), ("m/s", "meters_per_second"),
            ("metric ton", "metric_tons"), ("Metric-Tonnes", "metric_tons"), ("\tlb\n", "pounds"),
            ("cubic metre", "cubic_meters"),
        ])
    func spellings(name: String, id: String) {
        let output = convert(300, name, id)
        #expect(output.string(forKey: "from_unit_canonical") == id)
        #expect(output.string(forKey: "from_unit") == name)
        #expect(output.string(forKey: "converted_value") == "300")
    }

    @Test(
        "U07: an unknown unit is told with the accepted ones",
        arguments: [
            "furlong", "", " ", "°", "deg", "us", "m²", "m2", "-m", "/m", "1m", "mm²", "$", "usd", "k m", "метр", "ｋｍ",
            "m\u{301}", "\u{0}", "m.m",
            String(repeating: "m", count: 100_000), "m" + String(repeating: " ", count: 100),
        ])
    func unknown(name: String) throws {
        let text = try message(convert(1, name, "km", "length"))
        #expect(text.hasPrefix("Unsupported unit identifier: "))
        #expect(text.contains("meters, kilometers, centimeters, millimeters, inches, feet, yards, miles"))
        #expect(text.utf8.count < 600)
        #expect(try message(convert(1, "km", name)) == text)
        #expect(try message(convert(1, name, "x")).contains("speed: meters_per_second"))
    }

    @Test(
        "U04: an ounce is a mass in every spelling, and mixed dimensions are both named",
        arguments: ["oz", "ounce", "Ounces", "oz."])
    func ounces(name: String) throws {
        let inferred = try message(convert(8, name, "mL"))
        #expect(inferred.contains("volume") && inferred.contains("mass"))
        for (from, to) in [(name, "mL"), ("mL", name)] {
            let text = try message(convert(8, from, to, "volume"))
            #expect(text.hasPrefix("Unsupported unit identifier: "))
            #expect(text.contains("mass") && text.contains("volume") && text.contains("fl_oz"))
        }
    }

    @Test(
        "U06: a ton is none of the tons, metric ones are 1000 kilograms",
        arguments: ["ton", "Tons", "US ton", "US t", "U.S. tonne", "long ton", "short ton", "degrees tonne"])
    func tons(name: String) throws {
        let text = try message(convert(1, name, "kg", "mass"))
        #expect(text.hasPrefix("Unsupported unit identifier: ") && text.contains("metric_tons"))
        for metric in ["t", "T", "tonne", "tonnes", "metric ton", "metric_tons"] {
            #expect(convert(1, metric, "kg", "mass").value(forKey: "converted_value") == 1_000)
        }
    }

    @Test(
        "U05: nothing is colder than absolute zero",
        arguments: [
            (-300, "C"), (-273.16, "C"), (-459.68, "F"), (-1, "K"), ("-273.150000000000000000000000001", "C"),
            (-1e308, "F"), (.double(-.leastNonzeroMagnitude), "K"),
        ] as [(LLMJSONValue, String)])
    func absoluteZero(value: LLMJSONValue, unit: String) throws {
        for target in ["C", "F", "K"] {
            #expect(try message(convert(value, unit, target, "temperature")).contains("below absolute zero"))
        }
    }

    @Test(
        "BT-4: categories", arguments: ["currency", "area", "", "Längen", 5, true, [], [:], "weight"] as [LLMJSONValue])
    func categories(category: LLMJSONValue) throws {
        let text = try message(convert(1, "m", "m", category))
        #expect(text.hasPrefix("Unsupported conversion category: "))
        #expect(text.contains("length, mass, volume, temperature, speed"))
    }

    @Test(
        "the category is that of the units unless it is named",
        arguments: [nil, .null, "length", " Length "] as [LLMJSONValue?])
    func inferredCategory(category: LLMJSONValue?) {
        #expect(convert(1, "m", "ft", category).string(forKey: "category") == "length")
    }

    @Test(
        "values that are no finite numbers",
        arguments: [
            "1abc", "0x10", "nan", "", "1e400", "-1e400", "1e-400", .double(.nan), .double(.infinity), nil, true, [1],
            [:], "1e999999999999",
            .string(String(repeating: "9", count: 100_000)),
        ] as [LLMJSONValue])
    func values(value: LLMJSONValue) throws {
        #expect(try message(convert(value, "m", "m")).contains("value"))
    }

    @Test(
        "results that no double can hold",
        arguments: [
            (1e308, "km", "mm"), (.double(.leastNonzeroMagnitude), "mg", "t"), (1.7976931348623157e308, "K", "F"),
        ] as [(LLMJSONValue, String, String)])
    func outOfRange(value: LLMJSONValue, from: String, to: String) throws {
        #expect(try message(convert(value, from, to)).contains("out of the range"))
    }

    @Test(
        "arguments that are no conversion",
        arguments: [
            nil, [], "text", 1, [:], ["value": 1], ["value": 1, "from_unit": "m"], ["from_unit": "m", "to_unit": "m"],
            ["value": 1, "from_unit": 5, "to_unit": "m"], ["value": 1, "from_unit": "m", "to_unit": nil],
        ] as [LLMJSONValue])
    func noConversions(arguments: LLMJSONValue) throws {
        #expect(try !message(LLMConvertUnitsTool.convert(arguments: arguments)).isEmpty)
    }

    @Test("results survive Foundation's coders")
    func coding() throws {
        for sample in Self.samples {
            let output = convert(sample.value, sample.from, sample.to)
            let data = try JSONEncoder().encode(output)
            #expect(try JSONDecoder().decode(LLMJSONValue.self, from: data) == output)
            #expect(try LLMJSONValue(jsonString: output.jsonString()) == output)
        }
    }
}
