/// A command line that does not say what to do.
package struct UsageError: Error, Hashable {
    /// What is wrong and where help is, in one line.
    package let message: String

    /// - Parameters:
    ///   - problem: what is wrong, without a full stop.
    ///   - invocation: the command whose help explains it.
    init(_ problem: String, in invocation: String) {
        message = "\(problem); see '\(invocation) --help'"
    }
}
