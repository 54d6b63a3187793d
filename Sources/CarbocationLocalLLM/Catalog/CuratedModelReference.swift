/// Names a file of a Hugging Face repository.
public struct CuratedModelReference: Codable, Sendable, Hashable {
    /// The repository, `owner/name`.
    public var hfRepo: String
    /// The path of the file in it.
    public var hfFilename: String

    /// Names a file.
    public init(hfRepo: String, hfFilename: String) {
        self.hfRepo = hfRepo
        self.hfFilename = hfFilename
    }
}
