public import Foundation

/// Why a request with tools was refused before any work of the model.
///
/// What goes wrong with a single call is no error of the run but an output that the model sees.
public enum LLMToolError: Error, LocalizedError, Sendable, Equatable {
    /// Two tools have this name.
    case duplicateToolName(String)
    /// A definition cannot be used; the text says which and why.
    case invalidDefinition(String)
    /// The request contradicts itself; the text says how.
    case invalidRequest(String)
    /// The engine or model cannot use tools in this way; the text says what is missing.
    case unsupportedToolMode(String)

    /// A sentence that says what is wrong and what helps.
    public var errorDescription: String? {
        switch self {
        case .duplicateToolName(let name): "Two tools are named \(name). Give each tool a name of its own."
        case .invalidDefinition(let problem): problem
        case .invalidRequest(let problem): problem
        case .unsupportedToolMode(let problem): problem
        }
    }
}
