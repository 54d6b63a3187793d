/// A failure that a command found itself, with its remedy.
struct CommandFailure: Error, Hashable {
    /// A stable name for programs, as in the events' `code`.
    let code: Code
    /// One sentence for people.
    let message: String

    enum Code: String, Sendable, Hashable {
        case modelNotFound, modelAmbiguous, modelUnreadable, inputUnreadable, invalidInput, outputFailed, checkFailed
        case contextTooSmall, refused
    }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
