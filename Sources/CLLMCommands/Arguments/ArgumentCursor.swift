/// Walks over the arguments and tells options from words.
struct ArgumentCursor {
    enum Token: Hashable {
        /// An option, with the value that was written after `=`.
        case option(name: String, value: String?)
        /// Anything else, and everything after `--`.
        case word(String)
        /// Something that starts with one dash, which no option does.
        case malformed(String)
    }

    private var rest: ArraySlice<String>
    private var optionsEnded = false

    init(_ arguments: [String]) {
        rest = arguments[...]
    }

    mutating func next() -> Token? {
        guard let argument = rest.popFirst() else { return nil }
        if optionsEnded || argument == "-" || !argument.hasPrefix("-") { return .word(argument) }
        if argument == "--" {
            optionsEnded = true
            return next()
        }
        guard Self.looksLikeOption(argument) else { return .malformed(argument) }
        let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return .option(name: String(parts[0]), value: parts.count == 2 ? String(parts[1]) : nil)
    }

    /// The next argument as an option's value; nil, taking nothing, when there is none or it is an option itself.
    mutating func nextValue() -> String? {
        guard let argument = rest.first, argument != "--", !Self.looksLikeOption(argument) else { return nil }
        rest = rest.dropFirst()
        return argument
    }

    private static func looksLikeOption(_ argument: String) -> Bool {
        argument.hasPrefix("--") && argument.dropFirst(2).first?.isLetter == true
    }
}
