extension CommandGroup {
    static let models = CommandGroup(
        path: ["models"], summary: "Lists, installs and removes models.",
        nodes: [
            .command(ModelsListCommand.self),
            .command(ModelsShowCommand.self),
            .command(ModelsImportCommand.self),
            .command(ModelsResolveCommand.self),
            .command(ModelsPullCommand.self),
            .command(ModelsPartialsCommand.self),
            .command(ModelsDiscardCommand.self),
            .command(ModelsRemoveCommand.self),
            .command(ModelsSelectCommand.self),
            .command(ModelsSelectedCommand.self),
            .command(ModelsCatalogCommand.self),
        ])
}
