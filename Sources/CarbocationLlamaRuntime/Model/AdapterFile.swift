import CarbocationLocalLLM
import Foundation
import GGUFFormat

/// The file of a ``LlamaAdapter`` on its way into llama.cpp.
struct AdapterFile: Sendable {
    let url: URL

    /// Checks that the file is a whole LoRA adapter for models of `architecture`.
    ///
    /// Throws ``LLMEngineError/modelLoadFailed(_:)`` with the reason and a remedy.
    func check(architecture: String?) throws {
        let name = url.lastPathComponent
        _ = try identity()
        let facts: GGUFModelFacts
        do {
            facts = GGUFModelFacts(header: try GGUFFileCheck(for: .loading).report(on: FileByteSource(url: url)).header)
        } catch {
            throw LLMEngineError.modelLoadFailed("The adapter \(name): \(error.localizedDescription)")
        }
        guard facts.generalType == "adapter" else {
            throw LLMEngineError.modelLoadFailed(
                "\(name) is not an adapter. Choose a GGUF file of a LoRA adapter, or load this file as a model.")
        }
        guard let own = facts.architecture, own == architecture else {
            throw LLMEngineError.modelLoadFailed(
                "The adapter \(name) is for the architecture \(facts.architecture ?? "of no name"), but the model's is "
                    + "\(architecture ?? "not named"). Choose an adapter that was made for this model.")
        }
    }

    /// Which file it is.
    ///
    /// Throws ``LLMEngineError/modelLoadFailed(_:)`` when there is none.
    func identity() throws -> FileIdentity {
        do {
            return try FileIdentity(url: url)
        } catch LLMEngineError.modelLoadFailed(let reason) {
            throw LLMEngineError.modelLoadFailed("The adapter \(url.lastPathComponent) cannot be used: \(reason)")
        }
    }
}

/// Tells one use of an adapter from another.
struct AdapterIdentity: Hashable, Sendable {
    var file: FileIdentity
    var scale: Float
}

extension LlamaEngineConfiguration {
    /// Which adapters these are now, in order.
    ///
    /// Throws ``LLMEngineError/modelLoadFailed(_:)`` for a missing file or a scale that is no number.
    func adapterIdentities() throws -> [AdapterIdentity] {
        try adapters.map { adapter in
            guard adapter.scale.isFinite else {
                throw LLMEngineError.modelLoadFailed(
                    "The scale of the adapter \(adapter.url.lastPathComponent) is no finite number. Use 1.")
            }
            return AdapterIdentity(file: try AdapterFile(url: adapter.url).identity(), scale: adapter.scale)
        }
    }
}
