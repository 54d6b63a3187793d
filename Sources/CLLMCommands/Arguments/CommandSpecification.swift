/// What a command is called, takes and does.
struct CommandSpecification: Sendable, Hashable {
    /// An argument that is recognised by its place.
    struct Positional: Sendable, Hashable {
        let name: String
        let help: String
        /// Whether the command makes no sense without it.
        var isRequired = false
        /// Whether it may be given several times.
        var isRepeated = false

        /// The argument as a usage line shows it.
        var usage: String {
            let name = isRepeated ? name + "…" : name
            return isRequired ? name : "[\(name)]"
        }
    }

    /// The words that name the command, without the program's.
    let path: [String]
    let summary: String
    var positional: Positional?
    /// An argument behind the other one.
    var secondPositional: Positional?
    let options: [OptionSpecification]

    /// The command as it is typed.
    var invocation: String { (["cllm"] + path).joined(separator: " ") }

    /// The arguments that are recognised by their place, in order.
    var positionals: [Positional] { [positional, secondPositional].compactMap(\.self) }

    var usageLine: String {
        (["Usage: \(invocation) [options]"] + positionals.map(\.usage)).joined(separator: " ")
    }
}
