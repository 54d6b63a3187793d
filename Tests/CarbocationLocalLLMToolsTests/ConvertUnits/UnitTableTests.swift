import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLocalLLMTools

@Suite("The table of units")
struct UnitTableTests {
    /// A unit with its names and how many base units it is, as numerator and denominator.
    struct Definition: Sendable, CustomTestStringConvertible {
        let id: String
        let names: String
        let factor: (String, String)

        var testDescription: String { id }
    }

    private static func unit(_ id: String, _ names: String, _ factor: String, over divisor: String = "1") -> Definition
    {
        Definition(id: id, names: names, factor: (factor, divisor))
    }

    static let scaled: [(UnitCategory, base: String, [Definition])] = [
        (
            .length, "meters",
            [
                unit("meters", "meter metre metres m", "1"),
                unit("kilometers", "kilometer kilometre kilometres km", "1000"),
                unit("centimeters", "centimeter centimetre centimetres cm", "0.01"),
                unit("millimeters", "millimeter millimetre millimetres mm", "0.001"),
                unit("inches", "inch in", "0.0254"),
                unit("feet", "foot ft", "0.3048"), unit("yards", "yard yd", "0.9144"),
                unit("miles", "mile mi", "1609.344"),
            ]
        ),
        (
            .mass, "kilograms",
            [
                unit("grams", "gram g", "0.001"), unit("kilograms", "kilogram kg", "1"),
                unit("milligrams", "milligram mg", "0.000001"), unit("ounces", "ounce oz", "0.028349523125"),
                unit("pounds", "pound lb lbs", "0.45359237"), unit("stones", "stone st", "6.35029318"),
                unit("metric_tons", "metric_ton metric_tonne metric_tonnes tonne tonnes t", "1000"),
            ]
        ),
        (
            .volume, "liters",
            [
                unit("liters", "liter litre litres l", "1"),
                unit("milliliters", "milliliter millilitre millilitres ml", "0.001"),
                unit("cubic_meters", "cubic_meter cubic_metre cubic_metres m3", "1000"),
                unit("cubic_centimeters", "cubic_centimeter cubic_centimetre cm3 cc", "0.001"),
                unit("cubic_millimeters", "cubic_millimeter cubic_millimetre mm3", "0.000001"),
                unit("gallons", "gallon gal", "3.785411784"), unit("quarts", "quart qt", "0.946352946"),
                unit("pints", "pint pt", "0.473176473"), unit("cups", "cup", "0.2365882365"),
                unit("fluid_ounces", "fluid_ounce fl_oz", "0.0295735295625"),
            ]
        ),
        (
            .speed, "meters_per_second",
            [
                unit("meters_per_second", "meter_per_second metre_per_second metres_per_second mps m_s", "1"),
                unit(
                    "kilometers_per_hour", "kilometer_per_hour kilometre_per_hour kilometres_per_hour kph kmh km_h",
                    "1", over: "3.6"),
                unit("miles_per_hour", "mile_per_hour mph", "0.44704"),
                unit("knots", "knot kt kts", "1852", over: "3600"),
            ]
        ),
    ]

    private func convert(_ value: ExactDecimal, _ from: String, _ to: String) throws -> LLMJSONValue {
        let output = LLMConvertUnitsTool.convert(
            arguments: ["value": .string(value.plainText), "from_unit": .string(from), "to_unit": .string(to)])
        return try #require(output.value(forKey: "converted_value"), "\(output.jsonString())")
    }

    @Test("BT-3: units, their names and factors", arguments: scaled.indices)
    func definitions(index: Int) throws {
        let (category, base, units) = Self.scaled[index]
        #expect(category.units.map(\.id) == units.map(\.id))
        for unit in units {
            for name in [unit.id] + unit.names.split(separator: " ").map(String.init) {
                #expect(UnitName.match(name)?.unit.id == unit.id, "\(name)")
                #expect(UnitName.match(name)?.category == category)
            }
            let (factor, divisor) = (
                try #require(ExactDecimal(unit.factor.0)), try #require(ExactDecimal(unit.factor.1))
            )
            #expect(try convert(divisor, unit.id, base) == factor.jsonNumber)
            #expect(try convert(factor, base, unit.id) == divisor.jsonNumber)
        }
    }

    @Test(
        "BT-3: temperatures and their names",
        arguments: [
            ("celsius", "centigrade c", "-273.15", "100"), ("fahrenheit", "f", "-459.67", "212"),
            ("kelvin", "k kelvins", "0", "373.15"),
        ])
    func temperatures(id: String, names: String, zero: String, boiling: String) throws {
        for name in [id] + names.split(separator: " ").map(String.init) {
            #expect(UnitName.match(name)?.unit.id == id, "\(name)")
        }
        #expect(try convert(.zero, "kelvin", id) == ExactDecimal(zero)?.jsonNumber)
        #expect(try convert(#require(ExactDecimal(boiling)), id, "celsius") == 100)
    }

    @Test("no name stands for two units")
    func ambiguity() {
        let names = UnitCategory.allCases.flatMap(\.units).flatMap(\.names)
        #expect(names.count == Set(names).count)
        for unit in UnitCategory.allCases.flatMap(\.units) {
            for name in unit.names { #expect(UnitName.match(name)?.unit.id == unit.id, "\(name)") }
        }
    }

    @Test("values come back from every other unit", arguments: UnitCategory.allCases)
    func roundTrips(category: UnitCategory) throws {
        let values = [0, 1, -1, 12.5, 1e-6, 123_456.789, 1e15].filter { category != .temperature || $0 >= 1 }
        for from in category.units {
            for to in category.units {
                for value in values {
                    let there = LLMConvertUnitsTool.convert(
                        arguments: ["value": .double(value), "from_unit": .string(from.id), "to_unit": .string(to.id)])
                    let back = LLMConvertUnitsTool.convert(
                        arguments: [
                            "value": try #require(there.value(forKey: "converted_value")), "from_unit": .string(to.id),
                            "to_unit": .string(from.id),
                        ])
                    let result = try #require(back.double(forKey: "converted_value"))
                    // The value in between was rounded to a double, next to an offset in temperatures.
                    #expect(
                        abs(result - value) <= 1e-15 * max(abs(value), category == .temperature ? 1_000 : 0),
                        "\(value) \(from.id) \(to.id)")
                }
            }
        }
    }
}
