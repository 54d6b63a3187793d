import CarbocationLocalLLM
import Foundation

/// Brings a model from a hub into the library.
struct HubPull: Sendable {
    let hub: HubArguments
    let reference: HuggingFaceModelReference
    let expectedSHA256: String?
    let configuration: ModelDownloadConfiguration
    let library: ModelLibrary
    let context: CommandContext

    /// Returns the model, which is downloaded unless it is installed already.
    ///
    /// Of several processes that want the same model one downloads; the others wait and find it installed.
    func run() async throws -> InstalledModel {
        let token = hub.token(in: context)
        let resolution = try expecting(try await hub.resolve(reference, token: token, in: context))
        if let model = await library.installed(resolution) {
            context.note("\(model.displayName) is already installed")
            return model
        }
        return try await context.downloading(resolution.displayName) { report in
            try await ModelDownloader.install(
                resolution, root: library.root, token: token, configuration: configuration, onProgress: report,
                findInstalled: {
                    await library.refresh()
                    return await library.installed(resolution)
                },
                install: { try await install($0) })
        }
    }

    private func install(_ download: HuggingFaceModelDownloadResult) async throws -> InstalledModel {
        let resolution = download.resolution
        let curated = CuratedModelCatalog.all.first {
            $0.hfRepo == resolution.reference.repo && $0.hfFilename == resolution.primaryArtifact.path
        }
        return try await library.install(
            download, displayName: curated?.displayName, source: curated == nil ? .customHF : .curated)
    }

    /// The resolution with what the user expects of the model's file.
    private func expecting(_ resolution: HuggingFaceResolution) throws -> HuggingFaceResolution {
        guard let expectedSHA256 else { return resolution }
        if let actual = resolution.primaryArtifact.sha256, actual != expectedSHA256 {
            throw ModelDownloaderError.hashMismatch(expected: expectedSHA256, actual: actual)
        }
        var resolution = resolution
        for index in resolution.artifacts.indices where resolution.artifacts[index].role == .primaryModel {
            resolution.artifacts[index].sha256 = expectedSHA256
        }
        return resolution
    }
}

extension ModelLibrary {
    /// The listed model with all that a download would bring, or nil.
    fileprivate func installed(_ resolution: HuggingFaceResolution) -> InstalledModel? {
        guard resolution.mmprojArtifact != nil else { return model(with: resolution) }
        let primary = resolution.primaryArtifact
        return models.first { model in
            model.artifacts.contains { $0.role == .mmproj } && model.hfRepo == resolution.reference.repo
                && model.hfFilename == primary.path && primary.sha256 != nil && model.sha256 == primary.sha256
        }
    }
}
