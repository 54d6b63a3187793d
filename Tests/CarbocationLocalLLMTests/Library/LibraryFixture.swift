import Foundation
import TestSupport

@testable import CarbocationLocalLLM

/// A library's root with ways to put things into it behind the library's back.
struct LibraryFixture {
    let folder: ScratchFolder
    var root: URL { folder.url }

    init() throws { folder = try ScratchFolder() }

    var layout: LibraryLayout { LibraryLayout(root: root) }

    /// A library over the root that sees nothing else.
    @MainActor
    func library(
        _ calls: any FileCalls = SystemFileCalls(), probe: ModelContextLengthProbe? = nil,
        search: ModelLibrarySearchConfiguration = .managedOnly, now: @escaping @Sendable () -> Date = { Date() }
    ) -> ModelLibrary {
        ModelLibrary(
            root: root, searchConfiguration: search, contextLengthProbe: probe, calls: calls, now: now)
    }

    /// Puts a model's folder into the root.
    @discardableResult
    func place(
        _ id: UUID = UUID(), name: String = "Model", file: String = "m-Q4_0.gguf", weights: GGUFBuilder = .model(),
        change: (inout LLMJSONObject) -> Void = { _ in }
    ) throws -> UUID {
        let data = weights.data()
        let model = InstalledModel(
            id: id, displayName: name, filename: file, sizeBytes: Int64(data.count), contextLength: 32_768,
            quantization: "Q4_0",
            artifacts: [
                InstalledModelArtifact(role: .primaryModel, relativePath: file, sizeBytes: Int64(data.count))
            ], installedAt: Date(timeIntervalSince1970: 1_000_000))
        var object = MetadataFile.object(MetadataFile.bytes(model)) ?? [:]
        change(&object)
        try folder.write(data, to: "\(id.uuidString)/\(file)")
        try writeMetadata(object, id)
        return id
    }

    func writeMetadata(_ object: LLMJSONObject, _ id: UUID) throws {
        try folder.write(Data(MetadataFile.bytes(object)), to: "\(id.uuidString)/metadata.json")
    }

    func metadata(_ id: UUID) throws -> LLMJSONObject? {
        MetadataFile.object(Array(try folder.data("\(id.uuidString)/metadata.json")))
    }

    /// What a process that starts now would list.
    func scan(search: ModelLibrarySearchConfiguration = .managedOnly) -> LibraryScanner.Findings {
        LibraryScanner(layout: layout, configuration: search, calls: SystemFileCalls())
            .scan(known: IndexFile(layout: layout, calls: SystemFileCalls()).read())
    }

    /// The listed models whose files are not all there and sound; must always be empty.
    func unloadable(_ findings: LibraryScanner.Findings) -> [InstalledModel] {
        findings.models.filter { model in
            let isComplete = model.artifacts.allSatisfy { artifact in
                let path = model.directory(in: root).appendingPathComponent(artifact.relativePath).path
                let status = try? SystemFileCalls().status(of: path, followingLinks: true)
                return status?.size == artifact.sizeBytes
            }
            return !isComplete || (try? GGUFMetadataReader.metadata(at: model.weightsURL(in: root))) == nil
        }
    }
}
