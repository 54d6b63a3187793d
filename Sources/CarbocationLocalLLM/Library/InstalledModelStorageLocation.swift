/// Whether a model lies in the library's own folder or in that of another program.
public struct InstalledModelStorageLocation: Codable, Sendable, Hashable {
    /// Whose folder it is.
    public enum Kind: String, Codable, Sendable {
        /// The library's; the model can be changed and deleted.
        case managed
        /// Another program's; the model is only read.
        case external
    }

    /// Whose folder it is.
    public var kind: Kind
    /// The folder of an external model.
    public var directoryPath: String?

    /// Describes a place; by default the library's own.
    public init(kind: Kind = .managed, directoryPath: String? = nil) {
        self.kind = kind
        self.directoryPath = directoryPath
    }
}
