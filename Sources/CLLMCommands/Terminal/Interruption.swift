/// A signal that asks the program to stop; as an error, what was going on when it came.
package enum Interruption: Int32, Error, Hashable {
    /// Ctrl-C: SIGINT.
    case interrupt = 2
    /// SIGTERM.
    case terminate = 15

    /// What a shell expects of a program that this signal ended.
    package var exitCode: ExitCode { ExitCode(rawValue: 128 + rawValue) }
}
