import CarbocationLocalLLM

/// One conversion, checked.
struct UnitConversion {
    /// A unit as it was given and as it was understood.
    private struct Side {
        let name: String
        let unit: ConversionUnit
    }

    /// How many significant digits the result is calculated to: more than a double can hold.
    private static let calculatedDigits = 38
    private static let textDigits = 12
    /// Where the text has zeros instead of an exponent.
    private static let plainExponents = -6...20

    private let category: UnitCategory
    private let value: ExactDecimal
    private let valueNumber: LLMJSONValue
    private let source: Side
    private let target: Side

    /// Reads the arguments of a call.
    init(_ arguments: LLMJSONValue) throws(ToolFailure) {
        guard case .object(let object) = arguments else {
            throw ToolFailure("The arguments are no object. Give value, from_unit and to_unit.")
        }
        let named = try Self.category(object["category"])
        (value, valueNumber) = try Self.value(object["value"])
        let names = (from: try Self.text("from_unit", in: object), to: try Self.text("to_unit", in: object))
        let units = try Self.units(names.from, names.to, named)
        category = units.category
        source = Side(name: names.from, unit: units.from)
        target = Side(name: names.to, unit: units.to)
    }

    /// What the tool answers.
    func output() throws(ToolFailure) -> LLMJSONValue {
        if category == .temperature, source.unit.scale.isBelowZero(value) {
            let limit = (-source.unit.scale.zero).plainText
            throw ToolFailure("The temperature is below absolute zero, which is \(limit) \(source.unit.id).")
        }
        let converted = source.unit.scale.convert(value, to: target.unit.scale, digits: Self.calculatedDigits)
        guard let converted, let number = converted.withTail.jsonNumber else {
            throw ToolFailure("The converted value is out of the range of a double.")
        }
        let text = converted.rounded(toDigits: Self.textDigits).value
        return [
            "ok": true, "category": .string(category.rawValue), "value": valueNumber,
            "from_unit": .string(source.name), "to_unit": .string(target.name),
            "from_unit_canonical": .string(source.unit.id), "to_unit_canonical": .string(target.unit.id),
            "converted_value": number, "converted_value_text": .string(Self.text(of: text)),
        ]
    }

    private static func text(of number: ExactDecimal) -> String {
        plainExponents.contains(number.scientificExponent) ? number.plainText : number.scientificText
    }
}

extension UnitConversion {
    /// The named category; nil if none is named.
    private static func category(_ argument: LLMJSONValue?) throws(ToolFailure) -> UnitCategory? {
        guard let argument, argument != .null else { return nil }
        if case .string(let name) = argument, let category = UnitCategory(name: name) { return category }
        throw ToolFailure("Unsupported conversion category: \(argument.quoted). Give one of \(UnitCategory.list).")
    }

    private static func value(_ argument: LLMJSONValue?) throws(ToolFailure) -> (ExactDecimal, LLMJSONValue) {
        guard let argument else { throw ToolFailure("The value is missing. Give a number.") }
        if case .double(let number) = argument, !number.isFinite {
            throw ToolFailure("The value is not finite. Give a number.")
        }
        guard let value = argument.exactDecimal else {
            throw ToolFailure("The value \(argument.quoted) is no number. Give a number such as -12.5 or 1e3.")
        }
        guard let number = value.jsonNumber else {
            throw ToolFailure("The value \(argument.quoted) is out of the range of a double.")
        }
        return (value, number)
    }

    private static func text(_ key: String, in object: LLMJSONObject) throws(ToolFailure) -> String {
        guard let argument = object[key] else { throw ToolFailure("The \(key) is missing. Give the name of a unit.") }
        guard case .string(let text) = argument else {
            throw ToolFailure("The \(key) \(argument.quoted) is no text. Give the name of a unit.")
        }
        return text
    }
}
