import CarbocationLocalLLM
import Foundation

extension CommandContext {
    /// The GGUF file of the model that the user means.
    ///
    /// The reference is a path, an id or its beginning, an exact name, or the Hub reference of an installed model.
    /// Without one, `CLLM_MODEL` counts, else the selected model, else the only installed one.
    func modelFile(_ reference: String?) async throws -> URL {
        if let reference { return try await modelFile(reference, named: "'\(reference)'") }
        if let reference = environment.variables["CLLM_MODEL"], !reference.isEmpty {
            return try await modelFile(reference, named: "'\(reference)' (from CLLM_MODEL)")
        }
        let library = await openLibrary()
        return try await chosenModel(in: library).weightsURL(in: library.root)
    }

    /// An entry of the library by the text that names it.
    func entry(_ reference: String, in library: ModelLibrary) async throws -> ModelEntry {
        let match = InstalledModelMatch(entries: await ModelEntry.all(in: library))
        if let entry = try match.entry(reference) { return entry }
        throw CommandFailure(
            .modelNotFound,
            "No installed model has the id, name or Hub reference '\(reference)'; 'cllm models list' shows them all.")
    }

    private func modelFile(_ reference: String, named name: String) async throws -> URL {
        if ModelFilePath.isPath(reference) || ModelFilePath.isFile(reference) {
            return try ModelFilePath.file(at: reference, named: name)
        }
        let library = await openLibrary()
        let match = InstalledModelMatch(entries: await ModelEntry.all(in: library))
        switch try match.entry(reference) {
        case .installed(let model)?: return model.weightsURL(in: library.root)
        case .damaged(let model)?: throw Self.damaged(model)
        case nil where reference.lowercased().hasSuffix(".gguf"):
            return try ModelFilePath.file(at: reference, named: name)
        case nil: throw Self.notInstalled(name)
        }
    }

    private func chosenModel(in library: ModelLibrary) async throws -> InstalledModel {
        let models = await library.models
        guard let selection = try selectionFile.read() else { return try Self.onlyModel(models) }
        guard case .installed(let id) = selection else {
            throw CommandFailure(.modelNotFound, "The selected model is not a file. \(Self.selectRemedy)")
        }
        if let model = models.first(where: { $0.id == id }) { return model }
        if let damaged = await library.damagedModels.first(where: { $0.id == id }) { throw Self.damaged(damaged) }
        throw CommandFailure(
            .modelNotFound, "The selected model \(id.uuidString) is not among the installed ones. \(Self.selectRemedy)")
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
