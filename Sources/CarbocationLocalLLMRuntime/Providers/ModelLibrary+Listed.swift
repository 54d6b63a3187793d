import CarbocationLocalLLM
import Foundation

extension ModelLibrary {
    /// The model with an id, looked for on disk only when it is not listed.
    func listedModel(_ id: UUID) async -> InstalledModel? {
        if let model = model(id: id) { return model }
        return await resolveInstalledModel(id: id)
    }
}
