public import Foundation

/// A folder in the library that should hold a model but cannot be loaded.
///
/// It can be deleted with ``ModelLibrary/delete(id:)``.
public struct DamagedInstalledModel: Sendable, Hashable, Identifiable {
    /// What is wrong.
    public enum Reason: Sendable, Hashable {
        /// The description is missing, cannot be read, or describes no model.
        case unreadableMetadata
        /// The description belongs to a model of another id.
        case identifierMismatch
        /// The description names this place, which may lie outside the model's folder.
        case unsafePath(String)
        /// The weights are not at this place.
        case missingWeights(String)
        /// The file at this place is no GGUF file.
        case notAModelFile(String)
        /// These parts of split weights are not there.
        case incompleteSplit(missing: [String])
    }

    /// The id that the folder is named after.
    public var id: UUID
    /// The folder.
    public var directory: URL
    /// The best name for people that could be found.
    public var displayName: String
    /// What is wrong.
    public var reason: Reason

    /// Describes a damaged model.
    public init(id: UUID, directory: URL, displayName: String, reason: Reason) {
        self.id = id
        self.directory = directory
        self.displayName = displayName
        self.reason = reason
    }
}
