/// What resuming a download gave.
public enum ModelDownloadResumeResult: Sendable {
    /// The file of a plain address.
    case file(ModelDownloadResult)
    /// The whole model that the file belongs to.
    case model(HuggingFaceModelDownloadResult)
}
