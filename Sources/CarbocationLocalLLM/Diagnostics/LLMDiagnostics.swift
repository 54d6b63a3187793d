/// Where the library's diagnostic records go.
///
/// Nothing is written anywhere by itself: without a handler, records are dropped.
public enum LLMDiagnostics {
    private static let handler = Locked<(@Sendable (LLMDiagnosticRecord) -> Void)?>(nil)

    /// Installs the one receiver of diagnostic records, or removes it with nil.
    ///
    /// The handler is called on whatever thread the record arises on, possibly on several at once, and holds up the
    /// work that reported it: hand records on quickly.
    public static func setHandler(_ newHandler: (@Sendable (LLMDiagnosticRecord) -> Void)?) {
        handler.withLock { $0 = newHandler }
    }

    /// Hands a record to the installed handler; the message is built only if there is one.
    package static func record(
        _ level: LLMDiagnosticRecord.Level,
        category: String,
        _ message: @autoclosure () -> String
    ) {
        // Called outside the lock, so that a handler may itself install another one.
        guard let receive = handler.withLock({ $0 }) else { return }
        receive(LLMDiagnosticRecord(level: level, category: category, message: message()))
    }
}
