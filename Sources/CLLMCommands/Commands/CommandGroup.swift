/// A command or a group of commands.
enum CommandNode: Sendable {
    case command(any Command.Type)
    case group(CommandGroup)

    /// The word that is typed.
    var name: String {
        switch self {
        case .command(let type): type.specification.path.last ?? ""
        case .group(let group): group.path.last ?? ""
        }
    }

    var summary: String {
        switch self {
        case .command(let type): type.specification.summary
        case .group(let group): group.summary
        }
    }
}

/// Commands that share their first words.
struct CommandGroup: Sendable {
    let path: [String]
    let summary: String
    let nodes: [CommandNode]

    var invocation: String { (["cllm"] + path).joined(separator: " ") }

    /// Every command there is.
    static let root = CommandGroup(
        path: [], summary: "Runs language models on this machine.",
        nodes: [
            .command(RunCommand.self),
            .command(ChatCommand.self),
            .command(PreflightCommand.self),
            .command(SmokeCommand.self),
            .command(BenchCommand.self),
            .command(PlanCommand.self),
            .command(CalibrateCommand.self),
            .command(ToolCommand.self),
            .group(models),
            .group(debug),
        ])

    private static let debug = CommandGroup(
        path: ["debug"], summary: "Shows what the engine makes of its input.",
        nodes: [
            .command(DebugRenderCommand.self),
            .command(DebugParseCommand.self),
            .command(DebugTokenizeCommand.self),
            .command(DebugGrammarCommand.self),
            .command(DebugJSONSliceCommand.self),
        ])
}
