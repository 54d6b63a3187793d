/// The options that were given, by name.
struct OptionValues: Sendable, Hashable {
    private var texts: [String: [String]] = [:]

    /// Reads the value that `option` needs, which stands after `=` or is the next argument.
    mutating func take(
        _ option: OptionSpecification, value: String?, from cursor: inout ArgumentCursor, in invocation: String
    ) throws(UsageError) {
        guard let placeholder = option.placeholder else {
            if value != nil { throw UsageError("\(option.spelling) takes no value", in: invocation) }
            return texts[option.name] = []
        }
        guard let text = value ?? cursor.nextValue() else {
            let name = option.spelling
            let remedy = "write \(name) \(placeholder), or \(name)=\(placeholder) for one with dashes"
            throw UsageError("\(name) needs a value (\(remedy))", in: invocation)
        }
        texts[option.name, default: []].append(text)
    }

    func contains(_ option: OptionSpecification) -> Bool { texts[option.name] != nil }

    /// Every value of an option, in the order given.
    func all(_ option: OptionSpecification) -> [String] { texts[option.name] ?? [] }

    /// The value that counts.
    func last(_ option: OptionSpecification) -> String? { texts[option.name]?.last }
}
