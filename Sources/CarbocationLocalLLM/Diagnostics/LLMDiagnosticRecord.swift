/// One line about what the library is doing.
///
/// The message holds counts, names and durations only, never prompts, outputs, tool data or tokens.
public struct LLMDiagnosticRecord: Sendable, Hashable {
    /// How much a record matters.
    public enum Level: String, Codable, Sendable, Hashable, CaseIterable, Comparable {
        /// Details of interest while looking for a fault.
        case debug
        /// What happened in the normal course of things.
        case info
        /// Something that works less well than it could.
        case warning
        /// Something that failed.
        case error

        /// Orders levels by how much they matter.
        public static func < (lhs: Level, rhs: Level) -> Bool {
            lhs.rank < rhs.rank
        }

        private var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            }
        }
    }

    /// How much the record matters.
    public var level: Level
    /// The part of the library it comes from, such as `download`.
    public var category: String
    /// What happened, as a sentence.
    public var message: String

    /// Creates a record.
    public init(level: Level, category: String, message: String) {
        self.level = level
        self.category = category
        self.message = message
    }
}
