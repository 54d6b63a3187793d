import Foundation

/// The models of Ollama, which are only read.
struct OllamaStore {
    private static let maximumManifests = 10_000

    let root: String
    let calls: any FileCalls
    let headers: HeaderTable

    /// The models of all manifests, sorted by name.
    func models() -> [InstalledModel] {
        manifests().compactMap { manifest in
            guard let bytes = try? calls.contents(of: manifest.path, limit: OllamaManifest.maximumBytes).bytes,
                let digest = OllamaManifest(bytes)?.digest
            else { return nil }
            return model(named: manifest.name, digest: digest)
        }
    }

    /// Manifests lie four folders deep: host, namespace, model, tag.
    private func manifests() -> [(name: String, path: String)] {
        var found: [(components: [String], path: String)] = [([], root + "/manifests")]
        for _ in 0..<4 {
            found = found.flatMap { parent in
                ((try? calls.entries(of: parent.path)) ?? []).map(\.name).sorted().prefix(Self.maximumManifests).map {
                    (parent.components + [$0], parent.path + "/" + $0)
                }
            }
        }
        return found.prefix(Self.maximumManifests).map { entry in
            let (namespace, model, tag) = (entry.components[1], entry.components[2], entry.components[3])
            return ((namespace == "library" ? "" : namespace + "/") + model + ":" + tag, entry.path)
        }
    }

    private func model(named name: String, digest: String) -> InstalledModel? {
        let blob = "sha256-\(digest)"
        let folder = root + "/blobs"
        let path = folder + "/" + blob
        guard let status = try? calls.status(of: path, followingLinks: true), status.kind == .regular,
            let header = headers.header(at: path, status), header.isGGUF, !CompanionRule.isCompanion(blob, header),
            (header.splitCount ?? 1) <= 1
        else { return nil }
        let file = FoundFile(relativePath: blob, path: path, status: status)
        let local = LocalModel(primary: file, header: header)
        var artifacts = local.artifacts
        artifacts[0].sha256 = digest
        return ExternalModel(
            identity: "ollama|\(name)|\(digest)", displayName: name, directory: folder,
            quantization: header.quantization ?? InstalledModel.inferQuantization(from: name), artifacts: artifacts
        ).installed(local)
    }
}
