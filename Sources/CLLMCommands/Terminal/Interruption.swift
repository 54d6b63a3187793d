/// A signal that asks the program to stop.
package enum Interruption: Int32, Sendable, Hashable {
    /// Ctrl-C: SIGINT.
    case interrupt = 2
    /// SIGTERM.
    case terminate = 15

    /// What a shell expects of a program that this signal ended.
    package var exitCode: ExitCode { ExitCode(rawValue: 128 + rawValue) }
}
