import CarbocationLocalLLM

/// Why an entry of the library cannot be loaded, for programs and for people.
struct ModelDamage: Hashable {
    /// A stable name.
    let reason: String
    /// The file or files in question.
    let detail: String?
    /// The end of a sentence about the entry.
    let explanation: String

    init(_ damage: DamagedInstalledModel.Reason) {
        switch damage {
        case .unreadableMetadata:
            (reason, detail) = ("unreadableMetadata", nil)
            explanation = "its description cannot be read"
        case .identifierMismatch:
            (reason, detail) = ("identifierMismatch", nil)
            explanation = "its description is that of another model"
        case .unsafePath(let path):
            (reason, detail) = ("unsafePath", path)
            explanation = "its description names '\(path)', which may lie outside its folder"
        case .missingWeights(let path):
            (reason, detail) = ("missingWeights", path)
            explanation = "its file '\(path)' is missing"
        case .notAModelFile(let path):
            (reason, detail) = ("notAModelFile", path)
            explanation = "its file '\(path)' is no GGUF file"
        case .incompleteSplit(let missing):
            let names = missing.joined(separator: ", ")
            (reason, detail) = ("incompleteSplit", names)
            explanation = "parts of it are missing: \(names)"
        }
    }
}
