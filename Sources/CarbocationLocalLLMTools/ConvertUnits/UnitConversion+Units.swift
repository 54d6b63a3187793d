import CarbocationLocalLLM

extension UnitConversion {
    /// The units that two names stand for, of one category: the named one, or that of both.
    static func units(
        _ from: String, _ to: String, _ named: UnitCategory?
    ) throws(ToolFailure) -> (category: UnitCategory, from: ConversionUnit, to: ConversionUnit) {
        let matches = (from: UnitName.match(from), to: UnitName.match(to))
        // A unit that is known says which ones could stand for the other.
        let listed = named ?? matches.from?.category ?? matches.to?.category
        guard let source = matches.from else { throw unknown(from, listed) }
        guard let target = matches.to else { throw unknown(to, listed) }
        let category = named ?? source.category
        if source.category != category { throw misplaced(from, source, category, "the category") }
        if target.category != category {
            throw misplaced(to, target, category, named == nil ? quoted(from) : "the category")
        }
        return (category, source.unit, target.unit)
    }

    private static func unknown(_ name: String, _ category: UnitCategory?) -> ToolFailure {
        let problem =
            UnitName.isAmbiguous(name)
            ? " stands for several units: metric_tons are 1000 kilograms, a ton of the United States 2000 pounds" : ""
        return ToolFailure("Unsupported unit identifier: \(quoted(name))\(problem). \(choice(of: category))")
    }

    private static func misplaced(
        _ name: String, _ match: UnitName.Match, _ category: UnitCategory, _ other: String
    ) -> ToolFailure {
        ToolFailure(
            "Unsupported unit identifier: \(quoted(name)) is a unit of \(match.category.rawValue), and \(other) is of "
                + "\(category.rawValue). \(choice(of: category))\(hint(match, category))")
    }

    private static func choice(of category: UnitCategory?) -> String {
        let categories = category.map { [$0] } ?? UnitCategory.allCases
        return "Units of " + categories.map { "\($0.rawValue): \($0.unitList)" }.joined(separator: "; ") + "."
    }

    private static func hint(_ match: UnitName.Match, _ category: UnitCategory) -> String {
        let areOunces = match.unit.id == "ounces" && category == .volume
        return areOunces ? " Ounces of volume are fluid_ounces (fl_oz)." : ""
    }

    private static func quoted(_ name: String) -> String { LLMJSONValue.string(name).quoted }
}
