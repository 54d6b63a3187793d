/// What a command is called, takes and does.
struct CommandSpecification: Sendable, Hashable {
    /// An argument that is recognised by its place; every one may be left out.
    struct Positional: Sendable, Hashable {
        let name: String
        let help: String
    }

    /// The words that name the command, without the program's.
    let path: [String]
    let summary: String
    var positional: Positional?
    let options: [OptionSpecification]

    /// The command as it is typed.
    var invocation: String { (["cllm"] + path).joined(separator: " ") }

    var usageLine: String {
        "Usage: \(invocation) [options]" + (positional.map { " [\($0.name)]" } ?? "")
    }
}
