public import CarbocationLocalLLM
public import Foundation

/// What can go wrong between a stored selection and a loaded model.
///
/// What goes wrong with a generation is an `LLMEngineError`, cancellation always a plain `CancellationError`.
public enum LocalLLMEngineError: Error, LocalizedError, Sendable, Equatable {
    /// The text is no selection, or there is nothing to select; holds the text.
    case invalidSelection(String)
    /// The library lists no model with this id.
    case installedModelNotFound(UUID)
    /// Nothing is loaded.
    case noSelectionLoaded
    /// The system model cannot be used on this computer now.
    case unavailableSystemModel(LLMSystemModelID)
    /// The system model failed; holds its own words.
    case systemModelGenerationFailed(String)

    /// What went wrong, as a sentence for people, with the remedy where there is one.
    public var errorDescription: String? {
        switch self {
        case .invalidSelection(let text):
            text.isEmpty
                ? "No model is selected. Choose a model in Settings."
                : "“\(text.prefix(80))” is not a model selection. Choose a model in Settings."
        case .installedModelNotFound(let id):
            "The model \(id.uuidString) is not installed any more. Choose another model in Settings."
        case .noSelectionLoaded:
            "No model is loaded. Choose a model in Settings."
        case .unavailableSystemModel(.appleIntelligence):
            "Apple Intelligence cannot be used on this device now. Check in Settings that the device supports it, that it is "
                + "turned on and that its model is downloaded, or choose another model."
        case .systemModelGenerationFailed(let reason):
            "The system's model failed: \(reason)"
        }
    }
}
