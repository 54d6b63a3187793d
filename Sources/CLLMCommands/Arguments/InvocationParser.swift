/// Reads a whole command line against the tree of commands.
struct InvocationParser {
    private var cursor: ArgumentCursor
    private var globals = OptionValues()
    private let variables: [String: String]

    /// - Parameters:
    ///   - arguments: the command line without the program's name.
    ///   - variables: the environment variables that stand in for options.
    init(_ arguments: [String], variables: [String: String]) {
        cursor = ArgumentCursor(arguments)
        self.variables = variables
    }

    mutating func parse(in group: CommandGroup = .root) throws(UsageError) -> Invocation {
        let known = GlobalOptions.specifications
        while let token = cursor.next() {
            switch token {
            case .option("help", nil): return .help(HelpPage.text(for: group))
            case .option("version", nil) where group.path.isEmpty: return .version
            case .option(let name, let value):
                let option = try Self.option(named: name, among: known, in: group.invocation)
                try globals.take(option, value: value, from: &cursor, in: group.invocation)
            case .malformed(let argument): throw Self.malformed(argument, in: group.invocation)
            case .word(let name): return try parse(try Self.node(named: name, in: group))
            }
        }
        let names = group.nodes.map(\.name).joined(separator: ", ")
        throw UsageError("a command is missing: one of \(names)", in: group.invocation)
    }

    private mutating func parse(_ node: CommandNode) throws(UsageError) -> Invocation {
        switch node {
        case .group(let group): try parse(in: group)
        case .command(let type): try parse(type)
        }
    }

    private mutating func parse(_ type: any Command.Type) throws(UsageError) -> Invocation {
        let command = type.specification
        let known = command.options + GlobalOptions.specifications
        var values = OptionValues()
        var words: [String] = []
        while let token = cursor.next() {
            switch token {
            case .option("help", nil): return .help(HelpPage.text(for: command))
            case .option(let name, let value):
                let option = try Self.option(named: name, among: known, in: command.invocation)
                if GlobalOptions.specifications.contains(option) {
                    try globals.take(option, value: value, from: &cursor, in: command.invocation)
                } else {
                    try values.take(option, value: value, from: &cursor, in: command.invocation)
                }
            case .malformed(let argument): throw Self.malformed(argument, in: command.invocation)
            case .word(let word): words.append(word)
            }
        }
        try Self.check(words, of: command)
        let arguments = ParsedArguments(specification: command, options: values, words: words)
        let options = try GlobalOptions(globals, variables: variables, in: command.invocation)
        return .command(try type.init(arguments), options)
    }

    private static func check(_ words: [String], of command: CommandSpecification) throws(UsageError) {
        let positionals = command.positionals
        for (index, positional) in positionals.enumerated() where positional.isRequired {
            let given = positional.isRepeated ? words.dropFirst(index) : words.dropFirst(index).prefix(1)
            if given.isEmpty { throw UsageError("\(positional.name) is missing", in: command.invocation) }
            if given.contains("") { throw UsageError("\(positional.name) may not be empty", in: command.invocation) }
        }
        guard positionals.last?.isRepeated != true, words.count > positionals.count else { return }
        let remedy = positionals.isEmpty ? "" : " (quote a text of several words)"
        throw UsageError("unexpected argument '\(words[positionals.count])'\(remedy)", in: command.invocation)
    }

    private static func option(
        named name: String, among known: [OptionSpecification], in invocation: String
    ) throws(UsageError) -> OptionSpecification {
        if let option = known.first(where: { $0.name == name }) { return option }
        let nearest = NearestName.of(name, among: known.map(\.name)).map { ", did you mean --\($0)?" } ?? ""
        throw UsageError("unknown option --\(name)\(nearest)", in: invocation)
    }

    private static func node(named name: String, in group: CommandGroup) throws(UsageError) -> CommandNode {
        if let node = group.nodes.first(where: { $0.name == name }) { return node }
        let nearest = NearestName.of(name, among: group.nodes.map(\.name)).map { ", did you mean '\($0)'?" } ?? ""
        throw UsageError("unknown command '\(name)'\(nearest)", in: group.invocation)
    }

    private static func malformed(_ argument: String, in invocation: String) -> UsageError {
        UsageError("unknown option \(argument) (a text that starts with a dash goes after --)", in: invocation)
    }
}
