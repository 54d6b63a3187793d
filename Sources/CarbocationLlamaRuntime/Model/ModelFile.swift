import CarbocationLocalLLM
import Foundation
import GGUFFormat

/// A GGUF file on its way into llama.cpp.
///
/// llama.cpp trusts the numbers in a file, so the whole header and tensor table are checked before it opens one.
struct ModelFile: Sendable {
    let url: URL

    /// What the file's header says.
    struct Facts: Sendable {
        /// The files of the model, in the order of its parts.
        let identities: [FileIdentity]
        let model: GGUFModelFacts

        /// Whether there are layers that predict further tokens.
        var hasPredictionLayers: Bool { (model.nextNPredictLayers ?? 0) > 0 }
    }

    /// Checks every part of the file, unless its weights are in use already.
    ///
    /// Throws ``LLMEngineError/modelLoadFailed(_:)`` with the reason and a remedy.
    func check() throws -> Facts {
        do {
            let identities = try identities()
            if let facts = ModelPool.shared.facts(of: identities) { return facts }
            let parts = try GGUFShardSet(containing: url)
            guard parts.urls.first?.lastPathComponent == url.lastPathComponent else {
                throw LLMEngineError.modelLoadFailed(
                    "\(url.lastPathComponent) is a later part of a split model. Load its first part instead.")
            }
            let headers = try parts.urls.map { part in
                try GGUFFileCheck(for: .loading).report(on: FileByteSource(url: part)).header
            }
            guard let facts = try parts.agreedFacts(of: headers).first else { throw GGUFReaderError.notGGUF }
            return Facts(identities: identities, model: facts)
        } catch let error as GGUFReaderError {
            throw LLMEngineError.modelLoadFailed("\(url.lastPathComponent): \(error.localizedDescription)")
        }
    }

    /// Which files these are, one for each part.
    ///
    /// Throws ``LLMEngineError/modelLoadFailed(_:)`` when one is missing.
    func identities() throws -> [FileIdentity] {
        let first = try FileIdentity(url: url)
        do {
            return try [first] + GGUFShardSet(containing: url).urls.dropFirst().map { try FileIdentity(url: $0) }
        } catch let error as GGUFReaderError {
            throw LLMEngineError.modelLoadFailed("\(url.lastPathComponent): \(error.localizedDescription)")
        }
    }

    /// Opens the vocabulary and metadata only.
    ///
    /// Blocks.
    func openVocabulary() throws -> NativeModel {
        try Self.requireRuntime()
        _ = try check()
        return try NativeModel(path: url.path, vocabularyOnly: true)
    }

    /// Opens the weights, sharing those that are loaded already.
    ///
    /// Blocks; cancelled through `signal`.
    func openWeights(
        _ facts: Facts, configuration: LlamaEngineConfiguration, opened: OpenedMemory, signal: CancellationSignal
    ) throws -> NativeModel {
        let key = ModelPool.Key(
            files: facts.identities, gpuLayers: max(0, configuration.gpuLayerCount),
            usesMemoryMap: configuration.useMemoryMap,
            predicts: facts.hasPredictionLayers && configuration.usesPredictionLayers,
            adapters: try configuration.adapterIdentities().map(\.file),
            servers: try configuration.serverAddresses())
        let model = try ModelPool.shared.model(for: key, facts: facts, signal: signal) {
            let model = try open(key, limits: configuration.rpcTimeLimits, signal: signal)
            opened.note(model)
            guard model.hasDecoder else {
                throw LLMEngineError.modelLoadFailed(
                    "\(url.lastPathComponent) cannot generate text: it is an encoder. Choose a chat model.")
            }
            for adapter in configuration.adapters {
                try signal.check()
                try model.addAdapter(path: adapter.url.path)
            }
            return model
        }
        // Also those of others, who may let go of them first.
        opened.note(model)
        return model
    }

    /// Opens the weights; without the prediction layers that the header names, if there are none after all.
    private func open(_ key: ModelPool.Key, limits: RPCTimeLimits, signal: CancellationSignal) throws -> NativeModel {
        let open = { (predicts: Bool) in
            try NativeModel(
                path: url.path, gpuLayers: key.gpuLayers, usesMemoryMap: key.usesMemoryMap, predicts: predicts,
                servers: NativeServers(key.servers, limits: limits), signal: signal, progress: { _ in !signal.isSet })
        }
        guard key.predicts else { return try open(false) }
        do {
            return try open(true)
        } catch is LLMEngineError {
            return try open(false)
        }
    }

    /// Throws ``LLMEngineError/runtimeUnavailable(_:)`` in a build without llama.cpp.
    static func requireRuntime() throws {
        guard LlamaRuntimeInfo.isAvailable else {
            throw LLMEngineError.runtimeUnavailable(
                "This build has no llama.cpp: Vendor/llama-artifacts/current was missing when the package was built. "
                    + "Run \"make setup\" in the package folder and build again.")
        }
    }
}

/// Tells one version of a file from another.
struct FileIdentity: Hashable, Sendable {
    var path: String
    var stamp: FileStamp

    /// Reads the identity.
    ///
    /// Throws ``LLMEngineError/modelLoadFailed(_:)`` when there is no regular file.
    init(url: URL) throws {
        let resolved = url.resolvingSymlinksInPath()
        let name = url.lastPathComponent
        guard url.isFileURL,
            let status = try? SystemFileCalls().status(of: resolved.path, followingLinks: true)
        else {
            throw LLMEngineError.modelLoadFailed("There is no model file at \(url.path). Check the path.")
        }
        guard status.kind == .regular else {
            throw LLMEngineError.modelLoadFailed("\(name) is not a file. Give the path of a .gguf file.")
        }
        path = resolved.path
        stamp = FileStamp(status)
    }
}
