import Foundation

/// Chooses a projector from a folder that may hold files of several models.
///
/// Lying in the same folder is no sign that two files belong together. A projector's name must be part of the model's;
/// a projector without a name of its own belongs to a model only when there is no other model beside it.
struct ProjectorMatch {
    let projectors: [FoundFile]
    let models: [LocalModel]

    /// The projector for one of the models, or nil.
    func projector(for model: LocalModel) -> FoundFile? {
        let fitting = projectors.filter { fits($0.relativePath, model.primary.relativePath) }
        let chosen = ProjectorRule.projector(
            for: model.primary.relativePath, among: fitting.lazy.map(\.relativePath))
        return fitting.first { $0.relativePath == chosen }
    }

    private func fits(_ projector: String, _ model: String) -> Bool {
        let own = Self.words(projector)
        if own.isEmpty { return Set(models.map { Self.words($0.primary.relativePath) }).count == 1 }
        return own.isSubset(of: Self.words(model))
    }

    /// The words of a file name that tell one model from another: no quantization, and none that every file has.
    private static func words(_ path: String) -> Set<String> {
        let words = ModelFileName.stem(path).lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        return Set(
            words.map(String.init).filter { word in
                !genericWords.contains(word) && InstalledModel.inferQuantization(from: word) == nil
            })
    }

    private static let genericWords: Set<String> = ["mmproj", "model", "gguf", "projector", "vision", "ud"]
}
