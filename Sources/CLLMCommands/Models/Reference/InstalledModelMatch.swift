import CarbocationLocalLLM
import Foundation

/// Finds the entry of a library that a text names.
struct InstalledModelMatch {
    let entries: [ModelEntry]

    /// Fewer characters than this are too likely to be typed by accident.
    static let shortestPrefix = 6

    /// Quantisations in the order in which a reference without one prefers them.
    private static let preferred = ["Q4_K_M", "Q8_0"].map(QuantizationTag.init)

    /// The entry, by its id or the beginning of it, its exact name, or its Hub reference; the first that fits counts.
    ///
    /// - Throws: ``CommandFailure`` when the text fits several entries equally well.
    func entry(_ text: String) throws -> ModelEntry? {
        for candidates in [identified(by: text), entries.filter { $0.displayName == text }, referenced(by: text)] {
            guard let first = candidates.first else { continue }
            guard candidates.count == 1 else { throw Self.ambiguous(text, candidates) }
            return first
        }
        return nil
    }

    private func identified(by text: String) -> [ModelEntry] {
        guard text.count >= Self.shortestPrefix else { return [] }
        let prefix = text.uppercased()
        return entries.filter { $0.id.uuidString.hasPrefix(prefix) }
    }

    private func referenced(by text: String) -> [ModelEntry] {
        guard let reference = HuggingFaceModelReference.parse(text) else { return [] }
        let models = entries.compactMap { entry in
            if case .installed(let model) = entry, Self.isIn(reference, model) { model } else { nil }
        }
        return Self.chosen(by: reference, among: models).map { .installed($0) }
    }

    /// Whether the model comes from the place that the reference is limited to.
    private static func isIn(_ reference: HuggingFaceModelReference, _ model: InstalledModel) -> Bool {
        guard model.hfRepo?.lowercased() == reference.repo.lowercased() else { return false }
        if let file = reference.file { return model.hfFilename == file }
        guard let directory = reference.directory else { return true }
        return model.hfFilename?.hasPrefix(directory + "/") == true
    }

    /// The models of the wanted quantisation; without one, those that a download would prefer.
    private static func chosen(
        by reference: HuggingFaceModelReference, among models: [InstalledModel]
    ) -> [InstalledModel] {
        if let wanted = reference.quantization { return carrying(QuantizationTag(wanted), among: models) }
        guard models.count > 1, reference.file == nil else { return models }
        return preferred.lazy.map { carrying($0, among: models) }.first { !$0.isEmpty } ?? models
    }

    private static func carrying(_ tag: QuantizationTag, among models: [InstalledModel]) -> [InstalledModel] {
        let exact = models.filter { tag.match(in: $0.hfFilename ?? "") == .exact }
        return exact.isEmpty ? models.filter { tag.match(in: $0.hfFilename ?? "") != nil } : exact
    }

    private static func ambiguous(_ text: String, _ entries: [ModelEntry]) -> CommandFailure {
        let shown = entries.prefix(5).map { "\($0.id.uuidString) (\($0.displayName))" }.joined(separator: ", ")
        return CommandFailure(
            .modelAmbiguous, "'\(text)' fits \(entries.count) installed models; name one by its id: \(shown).")
    }
}
