/// Writes to stderr for people.
///
/// Failures to write are ignored: there is nowhere left to report them.
struct DiagnosticWriter: Sendable {
    private let errors: any ByteWriting

    init(_ errors: any ByteWriting) {
        self.errors = errors
    }

    var isTerminal: Bool { errors.isTerminal }

    /// Writes a text as it is.
    func text(_ text: String) {
        try? errors.write(text)
    }

    /// Writes one line that says who speaks; parts of the message may come from files and servers.
    func line(_ message: String) {
        text("cllm: \(PlainText.clean(message))\n")
    }
}
