/// The text that `--help` prints.
enum HelpPage {
    static let helpOption = OptionSpecification.flag("help", "Show this help.")
    static let versionOption = OptionSpecification.flag("version", "Show the versions of cllm and llama.cpp.")

    static func text(for command: CommandSpecification) -> String {
        var sections = [command.usageLine, command.summary]
        if !command.positionals.isEmpty {
            sections.append(table("Arguments:", command.positionals.map { ($0.name, $0.help) }))
        }
        if !command.options.isEmpty { sections.append(optionTable("Options:", command.options)) }
        sections.append(optionTable("Global options:", GlobalOptions.specifications + [helpOption]))
        return sections.joined(separator: "\n\n") + "\n"
    }

    static func text(for group: CommandGroup) -> String {
        let own = group.path.isEmpty ? [versionOption, helpOption] : [helpOption]
        let sections = [
            "Usage: \(group.invocation) <command> [options] [arguments]",
            group.summary,
            table("Commands:", group.nodes.map { ($0.name, $0.summary) }),
            optionTable("Global options:", GlobalOptions.specifications + own),
            "'\(group.invocation) <command> --help' explains one command.",
        ]
        return sections.joined(separator: "\n\n") + "\n"
    }

    private static func optionTable(_ title: String, _ options: [OptionSpecification]) -> String {
        table(title, options.map { ($0.spelling + ($0.placeholder.map { " \($0)" } ?? ""), $0.help) })
    }

    private static func table(_ title: String, _ rows: [(term: String, help: String)]) -> String {
        let width = rows.map(\.term.count).max() ?? 0
        let lines = rows.map { row in
            "  \(row.term)\(String(repeating: " ", count: width - row.term.count))  \(row.help)"
        }
        return ([title] + lines).joined(separator: "\n")
    }
}
