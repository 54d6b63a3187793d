/// The terminal that a person types at.
package protocol TerminalDevice: Sendable {
    var size: TerminalSize { get }

    /// Hands over every key as it is pressed, unshown, until ``restore()``.
    func takeOver() throws

    /// Gives the terminal back as it was found; does nothing when it was not taken over.
    func restore()

    /// The next bytes, as soon as there are any; empty at the end, and gives up with `CancellationError` as soon as
    /// the task is cancelled.
    func read() async throws -> [UInt8]

    /// The bytes that are there already, if any; waits for none.
    func readWaiting() -> [UInt8]

    func write(_ text: String) throws

    /// Stops the program as Ctrl-Z does, and returns when it goes on.
    func suspend()
}
