/// What an option is called, takes and does.
struct OptionSpecification: Sendable, Hashable {
    enum Form: Sendable, Hashable {
        /// On when given.
        case flag
        /// Takes a value; given twice, the last one counts.
        case value(placeholder: String)
        /// Takes a value and may be given several times.
        case list(placeholder: String)
    }

    /// The name without its dashes.
    let name: String
    let form: Form
    let help: String

    static func flag(_ name: String, _ help: String) -> Self {
        Self(name: name, form: .flag, help: help)
    }

    static func value(_ name: String, _ placeholder: String, _ help: String) -> Self {
        Self(name: name, form: .value(placeholder: placeholder), help: help)
    }

    static func list(_ name: String, _ placeholder: String, _ help: String) -> Self {
        Self(name: name, form: .list(placeholder: placeholder), help: help)
    }

    /// The option as it is typed.
    var spelling: String { "--\(name)" }

    /// What its value is called, nil for a flag.
    var placeholder: String? {
        switch form {
        case .flag: nil
        case .value(let placeholder), .list(let placeholder): placeholder
        }
    }
}
