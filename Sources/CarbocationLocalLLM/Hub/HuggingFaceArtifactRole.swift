/// What a file is to the model that it belongs to.
public enum HuggingFaceArtifactRole: String, Codable, Sendable, Hashable {
    /// The model, or the first part of a split model.
    case primaryModel
    /// A further part of a split model.
    case splitModel
    /// A projector for images or audio.
    case mmproj
}
