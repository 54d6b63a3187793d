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
    /// Of several processes that want the same model one downloads; the others wait and find it installed. Of a model
    /// that is installed without the projector, only that is downloaded.
    func run() async throws -> InstalledModel {
        let token = hub.token(in: context)
        let resolution = try expecting(try await hub.resolve(reference, token: token, in: context))
        if let model = await library.model(with: resolution) {
            context.note("\(model.displayName) is already installed")
            return model
        }
        return try await context.downloading(resolution.displayName) { report in
            try await ModelDownloader.install(
                resolution, root: library.root, token: token, configuration: configuration, onProgress: report,
                findInstalled: {
                    await library.refresh()
                    return await library.model(with: resolution)
                },
                findMissing: {
                    await library.model(lackingProjectorOf: resolution) == nil ? nil : resolution.projectorAlone
                },
                install: { try await install($0, of: resolution) })
        }
    }

    /// Installs what was downloaded, or adds a projector that was missing.
    private func install(
        _ download: HuggingFaceModelDownloadResult, of resolution: HuggingFaceResolution
    ) async throws -> InstalledModel {
        if download.resolution.isProjectorAlone, let projector = download.artifacts.first {
            await library.refresh()
            guard let model = await library.model(lackingProjectorOf: resolution) else {
                throw CommandFailure(
                    .refused, "\(resolution.displayName) was removed meanwhile; the same command downloads it again.")
            }
            return try await library.add(projector: projector, to: model.id)
        }
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
