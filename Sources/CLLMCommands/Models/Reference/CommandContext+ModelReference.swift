import CarbocationLocalLLM
import Foundation

extension CommandContext {
    /// The model that the user means.
    ///
    /// The reference is a path, an id or its beginning, an exact name, the Hub reference of an installed model, or the id
    /// of a model of the system. Without one, `CLLM_MODEL` counts, else the selected model, else the only installed one.
    func chosenModel(_ reference: String?) async throws -> ChosenModel {
        if let reference { return try await chosenModel(reference, named: "'\(reference)'") }
        if let reference = environment.variables["CLLM_MODEL"], !reference.isEmpty {
            return try await chosenModel(reference, named: "'\(reference)' (from CLLM_MODEL)")
        }
        return try await selectedModel(in: await openLibrary())
    }

    /// The GGUF file of the model that the user means, see ``chosenModel(_:)``.
    func modelFile(_ reference: String?) async throws -> URL {
        let source = try await chosenModel(reference)
        if let url = source.url { return url }
        throw CommandFailure(
            .modelNotFound, "\(source.displayName) is not a file, which is needed here; name another model.")
    }

    /// An entry of the library by the text that names it.
    func entry(_ reference: String, in library: ModelLibrary) async throws -> ModelEntry {
        let match = InstalledModelMatch(entries: await ModelEntry.all(in: library))
        if let entry = try match.entry(reference) { return entry }
        throw CommandFailure(
            .modelNotFound,
            "No installed model has the id, name or Hub reference '\(reference)'; 'cllm models list' shows them all.")
    }

    private func chosenModel(_ reference: String, named name: String) async throws -> ChosenModel {
        if ModelFilePath.isPath(reference) || ModelFilePath.isFile(reference) {
            return .file(try ModelFilePath.file(at: reference, named: name))
        }
        let library = await openLibrary()
        if let id = LLMSystemModelID(rawValue: reference) { return .system(id, in: library) }
        let match = InstalledModelMatch(entries: await ModelEntry.all(in: library))
        switch try match.entry(reference) {
        case .installed(let model)?: return .installed(model, in: library)
        case .damaged(let model)?: throw Self.damaged(model)
        case nil where reference.lowercased().hasSuffix(".gguf"):
            return .file(try ModelFilePath.file(at: reference, named: name))
        case nil: throw Self.notInstalled(name)
        }
    }

    private func selectedModel(in library: ModelLibrary) async throws -> ChosenModel {
        let models = await library.models
        switch try selectionFile.read() {
        case nil: return .installed(try Self.onlyModel(models), in: library)
        case .system(let id)?: return .system(id, in: library)
        case .installed(let id)?:
            if let model = models.first(where: { $0.id == id }) { return .installed(model, in: library) }
            if let damaged = await library.damagedModels.first(where: { $0.id == id }) { throw Self.damaged(damaged) }
            throw CommandFailure(
                .modelNotFound,
                "The selected model \(id.uuidString) is not among the installed ones. \(Self.selectRemedy)")
        }
    }

    private static let selectRemedy = "Select another one with 'cllm models select MODEL'."
    private static let installRemedy = "'cllm models pull OWNER/REPOSITORY' downloads one"

    private static func onlyModel(_ models: [InstalledModel]) throws -> InstalledModel {
        if models.count == 1 { return models[0] }
        let remedy =
            models.isEmpty
            ? "name a .gguf file, set CLLM_MODEL, or install a model (\(installRemedy))"
            : "\(models.count) are installed; name one of 'cllm models list', or 'cllm models select' one"
        throw CommandFailure(.modelNotFound, "No model is given: \(remedy).")
    }

    private static func notInstalled(_ name: String) -> CommandFailure {
        CommandFailure(
            .modelNotFound,
            "There is neither a file nor an installed model \(name) ('cllm models list' shows what is installed; "
                + "\(installRemedy)).")
    }

    private static func damaged(_ model: DamagedInstalledModel) -> CommandFailure {
        let explanation = ModelDamage(model.reason).explanation
        return CommandFailure(
            .modelUnreadable,
            "'\(model.displayName)' is damaged: \(explanation). "
                + "Remove it with 'cllm models remove \(model.id.uuidString)' and install it again.")
    }
}
