/// Where an installed model came from.
public enum ModelSource: String, Codable, Sendable, Hashable {
    /// An entry of a curated catalog.
    case curated
    /// A Hugging Face repository that the user named.
    case customHF
    /// A file on this computer.
    case imported
}
