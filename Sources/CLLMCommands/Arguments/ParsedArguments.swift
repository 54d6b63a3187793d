/// The options and words of one command, read as the types they stand for.
struct ParsedArguments: Sendable {
    let specification: CommandSpecification
    let options: OptionValues
    /// The arguments recognised by their place.
    let words: [String]

    /// The argument of a command that takes one.
    var positional: String? { words.first }

    /// The second argument of a command that takes two.
    var secondPositional: String? { words.dropFirst().first }

    func isSet(_ option: OptionSpecification) -> Bool { options.contains(option) }

    /// The option's text, which may not be empty.
    func text(_ option: OptionSpecification) throws(UsageError) -> String? {
        guard let text = options.last(option) else { return nil }
        if text.isEmpty { throw usage("\(option.spelling) needs a value that is not empty") }
        return text
    }

    func integer<Number: FixedWidthInteger>(
        _ option: OptionSpecification, atLeast least: Number = .min
    ) throws(UsageError) -> Number? {
        guard let text = options.last(option) else { return nil }
        guard let number = Number(text), number >= least else {
            let range = least == .min && least < 0 ? "" : " of at least \(least)"
            throw usage("\(option.spelling) needs a whole number\(range) that fits, not '\(text)'")
        }
        return number
    }

    func number(_ option: OptionSpecification) throws(UsageError) -> Double? {
        guard let text = options.last(option) else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw usage("\(option.spelling) needs a number, not '\(text)'")
        }
        return number
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ option: OptionSpecification
    ) throws(UsageError) -> Choice? where Choice.RawValue == String {
        guard let text = options.last(option) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw usage("\(option.spelling) is one of \(known), not '\(text)'")
    }

    /// The error that points to this command's help.
    func usage(_ problem: String) -> UsageError {
        UsageError(problem, in: specification.invocation)
    }
}
