import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import Foundation

/// An error as it is told to people and to programs.
struct FailureReport: Hashable {
    /// A stable name.
    let code: String
    /// One line.
    let message: String

    init(_ error: any Error) {
        let text: String
        switch error {
        case let failure as CommandFailure: (code, text) = (failure.code.rawValue, failure.message)
        case let failure as LLMEngineError: (code, text) = (Self.name(of: failure), failure.localizedDescription)
        case let failure as LLMToolError: (code, text) = (Self.name(of: failure), failure.localizedDescription)
        case let failure as LLMSessionError: (code, text) = (Self.name(of: failure), failure.localizedDescription)
        case let failure as LocalLLMEngineError: (code, text) = (Self.name(of: failure), failure.localizedDescription)
        case DecodingError.dataCorrupted(let context): (code, text) = ("invalidInput", context.debugDescription)
        case is CancellationError: (code, text) = ("cancelled", "interrupted")
        default: (code, text) = ("failed", error.localizedDescription)
        }
        message = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private static func name(of error: LLMEngineError) -> String {
        switch error {
        case .noModelLoaded: "noModelLoaded"
        case .modelLoadFailed: "modelLoadFailed"
        case .contextInitFailed: "contextInitFailed"
        case .tokenizationFailed: "tokenizationFailed"
        case .insufficientGenerationBudget: "insufficientGenerationBudget"
        case .contextBudgetExceeded: "contextBudgetExceeded"
        case .decodeFailed: "decodeFailed"
        case .samplerInitFailed: "samplerInitFailed"
        case .grammarParseFailed: "grammarParseFailed"
        case .chatTemplateUnavailable: "chatTemplateUnavailable"
        case .structuredOutputPhaseFailed: "structuredOutputPhaseFailed"
        case .runtimeUnavailable: "runtimeUnavailable"
        case .invalidOptions: "invalidOptions"
        case .invalidRequest: "invalidRequest"
        case .unsupportedSchema: "unsupportedSchema"
        case .structuredOutputInvalid: "structuredOutputInvalid"
        }
    }

    private static func name(of error: LLMToolError) -> String {
        switch error {
        case .duplicateToolName: "duplicateToolName"
        case .invalidDefinition: "invalidDefinition"
        case .invalidRequest: "invalidRequest"
        case .unsupportedToolMode: "unsupportedToolMode"
        }
    }

    private static func name(of error: LLMSessionError) -> String {
        switch error {
        case .unloaded: "unloaded"
        case .saveUnsupported: "saveUnsupported"
        case .modelMismatch: "modelMismatch"
        case .damagedSnapshot: "damagedSnapshot"
        }
    }

    private static func name(of error: LocalLLMEngineError) -> String {
        switch error {
        case .invalidSelection: "invalidSelection"
        case .installedModelNotFound: "installedModelNotFound"
        case .noSelectionLoaded: "noSelectionLoaded"
        case .unavailableSystemModel: "unavailableSystemModel"
        case .systemModelGenerationFailed: "systemModelGenerationFailed"
        }
    }
}
