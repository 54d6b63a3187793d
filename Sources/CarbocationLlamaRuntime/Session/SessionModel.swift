package import Foundation

/// The model that a saved session needs.
package struct SessionModel: Codable, Hashable, Sendable {
    /// The id of the installed model, if it was one.
    package var id: UUID?
    /// The name of its file, of a split set that of its first part.
    package var fileName: String
    /// The name for people, if there was one.
    package var displayName: String?
    /// What tells the model's files from others, wherever they are.
    package var fingerprint: ModelFingerprint

    init(_ descriptor: LlamaModelDescriptor, fingerprint: ModelFingerprint) {
        id = descriptor.id
        fileName = descriptor.url.lastPathComponent
        displayName = descriptor.displayName
        self.fingerprint = fingerprint
    }
}

extension SessionModel {
    /// Whether a file is that model, whatever it is called.
    ///
    /// Reads the header and samples of the weights, on a thread that may block.
    package func isModel(at url: URL) async -> Bool {
        let found = try? await NativeWork().run { _ in try ModelFingerprint(modelAt: url) }
        return found == fingerprint
    }
}
