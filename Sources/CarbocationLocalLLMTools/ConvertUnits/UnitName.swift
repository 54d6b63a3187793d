/// The names of units, however they are written.
enum UnitName {
    /// A unit that a name stands for.
    struct Match: Sendable {
        let unit: ConversionUnit
        let category: UnitCategory
    }

    /// Longer texts are no names.
    private static let maximumLength = 100

    private static let matches: [String: Match] = {
        var matches: [String: Match] = [:]
        for category in UnitCategory.allCases {
            for unit in category.units {
                for name in unit.names { matches[name] = Match(unit: unit, category: category) }
            }
        }
        return matches
    }()

    /// The unit that a text names, if any.
    static func match(_ text: String) -> Match? {
        guard let name = trimmed(text).map(normalized), !ambiguous.contains(name) else { return nil }
        return matches[name]
            ?? prefixes.lazy.filter { name.hasPrefix($0.text) }.compactMap { prefix in
                matches[String(name.dropFirst(prefix.text.count).drop { $0 == "_" })].flatMap { match in
                    prefix.category == nil || match.category == prefix.category ? match : nil
                }
            }.first
    }

    /// Whether a text is a name that several units share.
    static func isAmbiguous(_ text: String) -> Bool {
        trimmed(text).map { ambiguous.contains(normalized($0)) } ?? false
    }

    /// The text without white space around it; nil for texts that are too long for a name.
    static func trimmed(_ text: String) -> String? {
        guard text.utf8.count <= maximumLength else { return nil }
        let start = text.unicodeScalars.drop { $0.properties.isWhitespace }
        let end = start.reversed().drop { $0.properties.isWhitespace }
        return String(String.UnicodeScalarView(end.reversed()))
    }

    /// What may stand before the name of a unit, or of one of a category; longer forms first.
    private static let prefixes: [(text: String, category: UnitCategory?)] = [
        ("degrees", .temperature), ("degree", .temperature), ("deg", .temperature), ("us", nil), ("u.s", nil),
    ]

    private static let ambiguous = Set(
        ["ton", "tons", "t", "tonne", "tonnes"].flatMap { ["us_\($0)", "u.s_\($0)"] } + ["ton", "tons"])

    /// The signs that keyboards offer beside the right one are taken for it.
    private static let degreeSigns: Set<Unicode.Scalar> = ["°", "º", "˚"]

    private static let separators: Set<Unicode.Scalar> = [
        "/", "-", "_", "\u{2010}", "\u{2011}", "\u{2044}", "\u{2215}",
    ]

    /// The name in small letters, without a sign of degrees before it and full stops at the ends of words, and with `_`
    /// for what separates words.
    private static func normalized(_ text: String) -> String {
        var name = ""
        for scalar in text.unicodeScalars.drop(while: { degreeSigns.contains($0) || $0.properties.isWhitespace }) {
            switch scalar {
            case "℃": name += "c"
            case "℉": name += "f"
            case "³": name += "3"
            case let scalar where separators.contains(scalar) || scalar.properties.isWhitespace:
                if name.hasSuffix(".") { name.removeLast() }
                if !name.hasSuffix("_") { name += "_" }
            default: name += scalar.properties.lowercaseMapping
            }
        }
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}
