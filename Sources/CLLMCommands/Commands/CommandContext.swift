/// What a running command reads from and writes to.
struct CommandContext: Sendable {
    let environment: CommandEnvironment
    let globals: GlobalOptions
    let interruptions: InterruptionRouter

    init(environment: CommandEnvironment, globals: GlobalOptions) {
        self.environment = environment
        self.globals = globals
        interruptions = InterruptionRouter(rearm: environment.rearmInterruptions)
    }

    var runtime: any ModelRuntime { environment.runtime }
    var output: any ByteWriting { environment.output }
    var errors: DiagnosticWriter { DiagnosticWriter(environment.errors) }

    /// Whether stderr may carry more than errors.
    var isQuiet: Bool { globals.verbosity == .quiet }

    /// Writes a result.
    func print(_ text: String) throws {
        try output.write(text)
    }

    /// Writes a note to stderr unless the user wants none.
    func note(_ text: String) {
        if !isQuiet { errors.line(text) }
    }

    /// Writes a detail to stderr if the user wants them.
    func detail(_ text: @autoclosure () -> String) {
        if globals.verbosity == .verbose { errors.line(text()) }
    }

    /// Shows what is being done on a terminal while `body` runs, and nothing anywhere else.
    func showing<Value>(_ status: String, during body: () async throws -> Value) async rethrows -> Value {
        guard !isQuiet, environment.errors.isTerminal else { return try await body() }
        errors.text(status)
        defer { errors.text("\r\u{1B}[K") }
        return try await body()
    }
}
