/// One command: what it takes, and what it does with that.
protocol Command: Sendable {
    static var specification: CommandSpecification { get }

    /// Reads the arguments; touches no file.
    init(_ arguments: ParsedArguments) throws(UsageError)

    /// Does the work; results go to the context's output.
    func run(in context: CommandContext) async throws
}
