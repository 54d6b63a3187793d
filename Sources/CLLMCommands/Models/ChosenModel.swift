package import CarbocationLocalLLM
package import Foundation

/// The model that the user means.
package enum ChosenModel: Sendable {
    /// A GGUF file outside of the library.
    case file(URL)
    case installed(InstalledModel, in: ModelLibrary)
    case system(LLMSystemModelID, in: ModelLibrary)

    /// The weights; nil for a model of the system.
    package var url: URL? {
        switch self {
        case .file(let url): url
        case .installed(let model, let library): model.weightsURL(in: library.root)
        case .system: nil
        }
    }

    /// The name to show.
    package var displayName: String {
        switch self {
        case .file(let url): url.lastPathComponent
        case .installed(let model, _): model.displayName
        case .system(let id, _): id.rawValue
        }
    }

    /// The selection that stands for it; nil for a file outside of the library.
    package var selection: LLMModelSelection? {
        switch self {
        case .file: nil
        case .installed(let model, _): .installed(model.id)
        case .system(let id, _): .system(id)
        }
    }
}
