import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Foundation

/// Finds the model of a saved session among the installed ones.
struct SavedModelSearch: Sendable {
    let root: URL
    private let models: [InstalledModel]

    @MainActor
    init(_ library: ModelLibrary) {
        root = library.root
        models = library.models
    }

    /// The model with the same content; else the one with the same id, whose difference can be told; else nil.
    func model(for saved: SessionModel) async -> InstalledModel? {
        let sameID = models.first { $0.id == saved.id }
        // The likeliest first; headers are read until one is right.
        let likely = models.filter { $0.id != saved.id && isLike(saved, $0) }
        for model in [sameID].compactMap(\.self) + likely
        where await saved.isModel(at: model.weightsURL(in: root)) {
            return model
        }
        return sameID
    }

    /// Whether a model can be the saved one under another id.
    private func isLike(_ saved: SessionModel, _ model: InstalledModel) -> Bool {
        let weights = model.weightsURL(in: root).resolvingSymlinksInPath()
        if weights.lastPathComponent == saved.fileName { return true }
        let size = (try? weights.resourceValues(forKeys: [.fileSizeKey]))?.fileSize
        return size.map(UInt64.init) == saved.fingerprint.firstSize
    }
}
