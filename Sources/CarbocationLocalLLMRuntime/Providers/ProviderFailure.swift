import CarbocationAppleIntelligenceRuntime
import CarbocationLocalLLM
import Foundation

/// Turns what a provider throws into what the facade throws.
enum ProviderFailure {
    /// Runs `body` on what was loaded for `selection`.
    static func translating<Value: Sendable>(
        for selection: LLMModelSelection, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch {
            throw translated(error, for: selection)
        }
    }

    static func translated(_ error: any Error, for selection: LLMModelSelection) -> any Error {
        switch error {
        case LLMEngineError.noModelLoaded: LocalLLMEngineError.noSelectionLoaded
        case is CancellationError, is LLMEngineError, is LLMToolError, is LLMSessionError, is LocalLLMEngineError:
            error
        default:
            switch selection {
            case .installed: error
            case .system(let id): systemFailure(error, of: id)
            }
        }
    }

    private static func systemFailure(_ error: any Error, of id: LLMSystemModelID) -> LocalLLMEngineError {
        switch error {
        case AppleIntelligenceError.unavailable: .unavailableSystemModel(id)
        case AppleIntelligenceError.generationFailed(let reason): .systemModelGenerationFailed(reason)
        default: .systemModelGenerationFailed(error.localizedDescription)
        }
    }
}
