public import CarbocationLocalLLM
public import Foundation

extension LlamaModelDescriptor {
    /// Describes an installed model.
    ///
    /// - Parameters:
    ///   - model: The model, of the library or of another program.
    ///   - root: The root of the library that lists it.
    public init(model: InstalledModel, root: URL) {
        self.init(id: model.id, url: model.weightsURL(in: root), displayName: model.displayName)
    }
}
