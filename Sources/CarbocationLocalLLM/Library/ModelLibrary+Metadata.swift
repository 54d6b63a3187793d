import Foundation

extension ModelLibrary {
    /// What the header of a model's file says, read on another thread or remembered; nil when it cannot be read.
    package func metadata(of model: InstalledModel) async -> GGUFModelMetadata? {
        let url = model.weightsURL(in: root)
        return try? await worker.perform { _, _ in try GGUFMetadataReader.metadata(at: url) }
    }
}
