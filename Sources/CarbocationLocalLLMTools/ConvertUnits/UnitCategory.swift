/// What a unit measures.
enum UnitCategory: String, CaseIterable, Sendable {
    case length, mass, volume, temperature, speed

    /// The names of all categories, for a sentence.
    static let list = allCases.map(\.rawValue).joined(separator: ", ")

    /// The category of this name, whatever its letter case and the blanks around it.
    init?(name: String) {
        self.init(rawValue: UnitName.trimmed(name)?.lowercased() ?? "")
    }

    /// The units in the order in which they are listed.
    var units: [ConversionUnit] {
        switch self {
        case .length: ConversionUnit.lengths
        case .mass: ConversionUnit.masses
        case .volume: ConversionUnit.volumes
        case .temperature: ConversionUnit.temperatures
        case .speed: ConversionUnit.speeds
        }
    }

    /// The names of all units, for a sentence.
    var unitList: String { units.map(\.id).joined(separator: ", ") }
}
