/// Somewhere to read bytes from.
package protocol ByteReading: Sendable {
    var isTerminal: Bool { get }

    /// Everything up to the end; gives up with `CancellationError` as soon as the task is cancelled.
    func readToEnd() async throws -> [UInt8]

    /// The next line without its end, nil at the end of the input; gives up like ``readToEnd()``.
    func readLine() async throws -> [UInt8]?
}

/// Somewhere to write bytes to.
package protocol ByteWriting: Sendable {
    var isTerminal: Bool { get }

    /// Writes all bytes before it returns.
    ///
    /// - Throws: ``OutputClosed`` when nobody reads any more.
    func write(_ bytes: [UInt8]) throws
}

extension ByteWriting {
    func write(_ text: String) throws {
        if !text.isEmpty { try write(Array(text.utf8)) }
    }
}

/// The reader of the output has gone, as `head` does when it has enough.
package struct OutputClosed: Error, Hashable {
    package init() {}
}
