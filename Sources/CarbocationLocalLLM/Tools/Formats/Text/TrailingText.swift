/// What stands after a call that seemed complete.
enum TrailingText {
    /// Whether the text at the cursor looks like more of the call, so that what was read is open to doubt.
    ///
    /// Where a bracket was closed too early, the rest of the arguments follows, often behind a comma.
    static func continuesCall(_ cursor: ByteCursor) -> Bool {
        guard let first = cursor.peek else { return false }
        let before = cursor.bytes[..<cursor.trimmedEnd(0..<cursor.position)].last
        return before == UInt8(ascii: ",") || continuations.contains(first)
    }

    private static let continuations = Set("\"'{}[]():=,+".utf8)
}
