import CarbocationLocalLLM

/// The command line as a function.
package enum CLLM {
    /// Does what the arguments say.
    ///
    /// An interruption cancels the command, which ends what it has begun to print; reading standard input is given
    /// up at once. A reader of the output that goes away ends the command quietly.
    ///
    /// - Parameters:
    ///   - arguments: the command line without the program's name.
    ///   - environment: where the command reads, writes and computes.
    /// - Returns: 0 done, 1 failed, 2 wrong usage, 128 + the signal's number when interrupted.
    package static func run(arguments: [String], environment: CommandEnvironment) async -> ExitCode {
        do {
            var parser = InvocationParser(arguments, variables: environment.variables)
            switch try parser.parse() {
            case .help(let text): try environment.output.write(text)
            case .version: try environment.output.write(VersionReport(environment.runtime.versions).text)
            case .command(let command, let globals):
                return await run(command, in: CommandContext(environment: environment, globals: globals))
            }
            return .success
        } catch {
            return exitCode(for: error, interruption: nil, errors: DiagnosticWriter(environment.errors))
        }
    }

    private static func run(_ command: any Command, in context: CommandContext) async -> ExitCode {
        let work = Task { try await command.run(in: context) }
        let watch = Task {
            await context.interruptions.watch(context.environment.interruptions) { work.cancel() }
        }
        defer { watch.cancel() }
        reportDiagnostics(in: context)
        do {
            try await work.value
            return .success
        } catch {
            return exitCode(for: error, interruption: context.interruptions.received, errors: context.errors)
        }
    }

    /// Shows what the library reports about its work, if the user wants details.
    private static func reportDiagnostics(in context: CommandContext) {
        guard context.globals.verbosity == .verbose else { return }
        LLMDiagnostics.setHandler { context.detail("\($0.category): \($0.message)") }
    }

    private static func exitCode(
        for error: any Error, interruption: Interruption?, errors: DiagnosticWriter
    ) -> ExitCode {
        switch error {
        case is OutputClosed: return .success
        case is CancellationError where interruption != nil: return interruption?.exitCode ?? .failure
        case let interruption as Interruption: return interruption.exitCode
        case let usage as UsageError:
            errors.line(usage.message)
            return .usage
        default:
            errors.line(FailureReport(error).message)
            return .failure
        }
    }
}
