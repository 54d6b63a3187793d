public import CarbocationLocalLLM

/// The tool `convert_units`: conversions between units of length, mass, volume, temperature and speed.
public enum LLMConvertUnitsTool {
    /// Converts what the arguments say.
    ///
    /// The arguments are `{"category":…,"value":…,"from_unit":…,"to_unit":…}`. The category is `length`, `mass`,
    /// `volume`, `temperature` or `speed`; without one, it is that of the units. The value is a number, or the text of
    /// one in JSON's syntax. Units are named by words, in the singular or plural, or by symbols, in capital or small
    /// letters: `miles`, `Metre`, `km/h`, `°F`, `US gal`, `fl. oz.`. Gallons, quarts, pints, cups and fluid ounces are
    /// those of the United States, `oz` is a mass, and `ton`, which means three different units, is none.
    ///
    /// All factors are exact by definition and nothing is rounded before the end. Values can be of any size that a
    /// double can have; temperatures below absolute zero are refused.
    ///
    /// ```swift
    /// LLMConvertUnitsTool.convert(
    ///     arguments: ["category": "length", "value": 12, "from_unit": "mile", "to_unit": "km"])
    /// // {"ok":true,"category":"length","value":12,"from_unit":"mile","to_unit":"km","from_unit_canonical":"miles",
    /// //  "to_unit_canonical":"kilometers","converted_value":19.312128,"converted_value_text":"19.312128"}
    /// ```
    ///
    /// - Parameter arguments: Anything; what is no such object gives a failure.
    /// - Returns: The object above, with the units as they were given, the converted value as the closest double or, if
    ///   it is whole and fits 64 bits, as an integer, and with 12 significant digits as text; or
    ///   `{"ok":false,"error":{"code":"invalid_arguments","message":…}}`.
    public static func convert(arguments: LLMJSONValue) -> LLMJSONValue {
        do throws(ToolFailure) {
            return try UnitConversion(arguments).output()
        } catch {
            return error.output
        }
    }
}
