import CarbocationLocalLLM
import Foundation

/// Brings a model of one file from any server into the library.
struct AddressPull: Sendable {
    let address: URL
    /// Only what the user gave for this address: other tokens belong to other servers.
    let token: String?
    let expectedSHA256: String?
    let configuration: ModelDownloadConfiguration
    let library: ModelLibrary
    let context: CommandContext

    private var filename: String { address.lastPathComponent }

    /// The address that a text is, if a GGUF file can be there.
    static func address(_ text: String) -> URL? {
        guard let url = URL(string: text), HTTPOrigin(url) != nil, ModelFileName.isModel(url.lastPathComponent) else {
            return nil
        }
        return url
    }

    /// Returns the model, which is downloaded unless one of the expected content is installed already.
    func run() async throws -> InstalledModel {
        if let expectedSHA256, let model = await library.models.first(where: { $0.sha256 == expectedSHA256 }) {
            context.note("\(model.displayName) is already installed")
            return model
        }
        let stem = ModelFileName.stem(filename)
        guard stem.count + ".gguf".count == filename.count else {
            throw CommandFailure(
                .refused, "'\(filename)' is one part of a model; download all parts and use 'cllm models import'.")
        }
        return try await context.downloading(stem) { report in
            let file = try await ModelDownloader.download(
                from: address, root: library.root, displayName: stem, expectedSHA256: expectedSHA256, token: token,
                configuration: configuration, onProgress: report)
            return try await install(file, displayName: stem)
        }
    }

    private func install(_ file: ModelDownloadResult, displayName: String) async throws -> InstalledModel {
        do {
            return try await library.add(
                weightsAt: file.tempURL, displayName: displayName, filename: filename, sizeBytes: file.sizeBytes,
                source: .imported, sha256: file.sha256)
        } catch {
            try? FileManager.default.removeItem(at: file.tempURL)
            throw error
        }
    }
}
