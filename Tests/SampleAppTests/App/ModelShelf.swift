import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import Foundation

/// The models that the app offers.
@MainActor
struct ModelShelf {
    /// A line of the picker.
    struct Choice: Equatable {
        var selection: LLMModelSelection
        var title: String
    }

    let library: ModelLibrary

    // snippet.library
    /// The app's library; there is one for the whole app.
    static func forThisApp() -> ModelShelf {
        ModelShelf(
            library: ModelLibrary(
                root: ModelStorage.modelsDirectory(appSupportFolderName: "Lantern"),
                contextLengthProbe: { file in LocalLLMEngine.probeTrainingContext(at: file) }))
    }
    // snippet.end

    // snippet.choices
    /// What the user can choose from now.
    func choices() async -> [Choice] {
        await library.refresh()
        let installed = library.models.map { model in
            Choice(selection: .installed(model.id), title: model.displayName)
        }
        let offered = LocalLLMEngine.availableSystemModels().map { option in
            Choice(selection: option.selection, title: option.displayName)
        }
        return installed + offered
    }
    // snippet.end

    // snippet.add
    /// Copies a file of the user's into the library.
    func add(_ file: URL) async throws -> LLMModelSelection {
        let model = try await library.importFile(at: file)
        return .installed(model.id)
    }

    /// Downloads a model from Hugging Face; an interrupted download goes on where it stopped.
    func download(
        _ reference: HuggingFaceModelReference, onProgress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws -> LLMModelSelection {
        let download = try await ModelDownloader.download(reference, root: library.root, onProgress: onProgress)
        let model = try await library.install(download)
        return .installed(model.id)
    }
    // snippet.end

    // snippet.remove
    /// Deletes a model of the app; those of other programs are refused.
    func remove(_ selection: LLMModelSelection) async throws {
        guard case .installed(let id) = selection else { return }
        try await library.delete(id: id)
    }
    // snippet.end
}
