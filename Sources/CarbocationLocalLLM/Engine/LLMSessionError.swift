public import Foundation

/// What can go wrong with a session beside what goes wrong with a generation.
public enum LLMSessionError: Error, LocalizedError, Sendable, Equatable {
    /// The session was unloaded and cannot be used any more.
    case unloaded
    /// Sessions of this kind of model cannot be saved.
    case saveUnsupported
    /// The model of a session is missing or has changed, and how.
    case modelMismatch(String)
    /// The file of a saved session cannot be used, and why.
    case damagedSnapshot(String)

    /// What went wrong, as a sentence for people, with the remedy where there is one.
    public var errorDescription: String? {
        switch self {
        case .unloaded: "The session was unloaded. Start a new one, or restore a saved one."
        case .saveUnsupported: "Sessions with this kind of model cannot be saved."
        case .modelMismatch(let reason): "The session cannot go on: \(reason)"
        case .damagedSnapshot(let reason): "The saved session cannot be read: \(reason)"
        }
    }
}
