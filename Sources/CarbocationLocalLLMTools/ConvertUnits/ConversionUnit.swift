/// A unit of the tool `convert_units`.
struct ConversionUnit: Sendable, Hashable {
    /// The name that results use.
    let id: String
    /// All names, in the form of ``UnitName``.
    let names: Set<String>
    let scale: UnitScale

    /// Creates a unit.
    ///
    /// - Parameters:
    ///   - id: The name that results use.
    ///   - words: Full names in the singular; plurals with s, and the spelling of metre and litre, are added.
    ///   - symbols: Names that have no other form.
    ///   - scale: How the unit relates to its category's base unit.
    init(_ id: String, words: [String] = [], symbols: [String] = [], _ scale: UnitScale) {
        self.id = id
        let spellings = words.flatMap { [$0, $0 + "s"] } + [id]
        names = Set(spellings.flatMap(Self.spellings) + symbols)
        self.scale = scale
    }

    private static func spellings(of name: String) -> [String] {
        let british = name.replacing("meter", with: "metre").replacing("liter", with: "litre")
        return [name, british]
    }
}

extension ConversionUnit {
    /// In meters.
    static let lengths = [
        ConversionUnit("meters", words: ["meter"], symbols: ["m"], UnitScale(1)),
        ConversionUnit("kilometers", words: ["kilometer"], symbols: ["km", "kms"], UnitScale(1_000)),
        ConversionUnit("centimeters", words: ["centimeter"], symbols: ["cm", "cms"], UnitScale(1, exponent: -2)),
        ConversionUnit("millimeters", words: ["millimeter"], symbols: ["mm", "mms"], UnitScale(1, exponent: -3)),
        ConversionUnit("inches", symbols: ["inch", "in", "ins"], UnitScale(254, exponent: -4)),
        ConversionUnit("feet", symbols: ["foot", "ft"], UnitScale(3_048, exponent: -4)),
        ConversionUnit("yards", words: ["yard"], symbols: ["yd", "yds"], UnitScale(9_144, exponent: -4)),
        ConversionUnit("miles", words: ["mile"], symbols: ["mi"], UnitScale(1_609_344, exponent: -3)),
    ]

    /// In kilograms.
    static let masses = [
        ConversionUnit("grams", words: ["gram", "gramme"], symbols: ["g"], UnitScale(1, exponent: -3)),
        ConversionUnit("kilograms", words: ["kilogram", "kilogramme"], symbols: ["kg", "kgs"], UnitScale(1)),
        ConversionUnit("milligrams", words: ["milligram", "milligramme"], symbols: ["mg"], UnitScale(1, exponent: -6)),
        ConversionUnit("ounces", words: ["ounce"], symbols: ["oz"], UnitScale(28_349_523_125, exponent: -12)),
        ConversionUnit("pounds", words: ["pound"], symbols: ["lb", "lbs"], UnitScale(45_359_237, exponent: -8)),
        ConversionUnit("stones", words: ["stone"], symbols: ["st"], UnitScale(635_029_318, exponent: -8)),
        ConversionUnit(
            "metric_tons", words: ["metric_ton", "metric_tonne", "tonne"], symbols: ["t"], UnitScale(1_000)),
    ]

    /// In liters; gallons and their parts are those of the United States.
    static let volumes = [
        ConversionUnit("liters", words: ["liter"], symbols: ["l"], UnitScale(1)),
        ConversionUnit("milliliters", words: ["milliliter"], symbols: ["ml", "mls"], UnitScale(1, exponent: -3)),
        ConversionUnit("cubic_meters", words: ["cubic_meter"], symbols: ["m3", "m^3"], UnitScale(1_000)),
        ConversionUnit(
            "cubic_centimeters", words: ["cubic_centimeter"], symbols: ["cm3", "cm^3", "cc"], UnitScale(1, exponent: -3)
        ),
        ConversionUnit(
            "cubic_millimeters", words: ["cubic_millimeter"], symbols: ["mm3", "mm^3"], UnitScale(1, exponent: -6)),
        ConversionUnit("gallons", words: ["gallon"], symbols: ["gal", "gals"], gallons(1)),
        ConversionUnit("quarts", words: ["quart"], symbols: ["qt", "qts"], gallons(4)),
        ConversionUnit("pints", words: ["pint"], symbols: ["pt", "pts"], gallons(8)),
        ConversionUnit("cups", words: ["cup"], gallons(16)),
        ConversionUnit(
            "fluid_ounces", words: ["fluid_ounce"], symbols: ["fl_oz", "fl.oz", "floz", "fluid_oz"], gallons(128)),
    ]

    /// In kelvins.
    static let temperatures = [
        ConversionUnit(
            "celsius", symbols: ["centigrade", "c"], UnitScale(1, zero: ExactDecimal(27_315, exponent: -2))),
        ConversionUnit(
            "fahrenheit", symbols: ["f"], UnitScale(5, over: 9, zero: ExactDecimal(45_967, exponent: -2))),
        ConversionUnit("kelvin", words: ["kelvin"], symbols: ["k"], UnitScale(1)),
    ]

    /// In meters per second.
    static let speeds = [
        ConversionUnit(
            "meters_per_second",
            symbols: ["mps"] + rates(["meter", "meters", "metre", "metres", "m"], ["second", "seconds", "sec", "s"]),
            UnitScale(1)),
        ConversionUnit(
            "kilometers_per_hour",
            symbols: ["kph", "kmh", "kmph"]
                + rates(["kilometer", "kilometers", "kilometre", "kilometres", "km"], ["hour", "hours", "hr", "h"]),
            UnitScale(10, over: 36)),
        ConversionUnit(
            "miles_per_hour",
            symbols: ["mph", "m.p.h"] + rates(["mile", "miles", "mi"], ["hour", "hours", "hr", "h"]),
            UnitScale(44_704, exponent: -5)),
        ConversionUnit("knots", words: ["knot"], symbols: ["kt", "kts", "kn"], UnitScale(1_852, over: 3_600)),
    ]

    private static func gallons(_ partsOfGallon: Int64) -> UnitScale {
        UnitScale(3_785_411_784, exponent: -9, over: partsOfGallon)
    }

    /// Names such as `km_per_h` and, from `km/h`, `km_h`.
    private static func rates(_ distances: [String], _ times: [String]) -> [String] {
        distances.flatMap { distance in
            times.flatMap { time in ["\(distance)_per_\(time)", "\(distance)_\(time)"] }
        }
    }
}
