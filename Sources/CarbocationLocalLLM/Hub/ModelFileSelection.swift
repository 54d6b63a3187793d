import Foundation
import GGUFFormat

/// The choice of one model among the files of a repository.
struct ModelFileSelection {
    private let reference: HuggingFaceModelReference
    private let files: [HuggingFaceTreeFile]
    private let byPath: [String: HuggingFaceTreeFile]

    /// Quantisations to look for when none was asked for.
    private static let preferred = ["Q4_K_M", "Q8_0"].map(QuantizationTag.init)

    init(reference: HuggingFaceModelReference, files: [HuggingFaceTreeFile]) {
        self.reference = reference
        self.files = files
        byPath = Dictionary(files.map { ($0.path.text, $0) }) { first, _ in first }
    }

    func resolution(
        reference: HuggingFaceModelReference, commit: String, includesProjector: Bool
    ) throws -> HuggingFaceResolution {
        let parts = try presentParts(of: try chosenGroup())
        let primary = parts[0].path.text
        var artifacts: [HuggingFaceResolvedArtifact] = []
        for (index, file) in parts.enumerated() {
            artifacts.append(try artifact(file, role: index == 0 ? .primaryModel : .splitModel, commit: commit))
        }
        if includesProjector, let path = ProjectorRule.projector(for: primary, among: files.map(\.path.text)),
            let file = byPath[path]
        {
            artifacts.append(try artifact(file, role: .mmproj, commit: commit))
        }
        return HuggingFaceResolution(
            reference: reference, commit: commit, artifacts: artifacts, quantization: quantization(of: primary),
            displayName: ModelFileName.stem(primary))
    }

    // MARK: Choosing

    private func chosenGroup() throws -> ModelFileGroup {
        if let path = reference.file {
            guard byPath[path] != nil, ModelFileName.isGGUF(path), !GGUFSplitName.isImpossible(path) else {
                throw HuggingFaceModelResolverError.fileNotFound(path)
            }
            return ModelFileGroup(containing: path)
        }
        let groups = ModelFileGroup.groups(of: candidatePaths())
        guard let first = groups.first else { throw HuggingFaceModelResolverError.noGGUFFiles(reference.repo) }
        guard let wanted = requestedTag else {
            return Self.preferred.lazy.compactMap { $0.choose(from: groups) }.first ?? first
        }
        guard let group = wanted.choose(from: groups) else {
            throw HuggingFaceModelResolverError.quantizationNotFound(wanted.name)
        }
        return group
    }

    private func candidatePaths() -> [String] {
        guard let directory = reference.directory, !directory.isEmpty else { return files.map(\.path.text) }
        return files.filter { $0.path.isBelow(directory) }.map(\.path.text)
    }

    private var requestedTag: QuantizationTag? {
        let tag = reference.quantization?.trimmingCharacters(in: .whitespaces) ?? ""
        return tag.isEmpty ? nil : QuantizationTag(tag)
    }

    private func quantization(of primary: String) -> String? {
        if reference.file == nil, let requestedTag { return requestedTag.name }
        return GGUFQuantization.name(fileName: primary)
    }

    private func presentParts(of group: ModelFileGroup) throws -> [HuggingFaceTreeFile] {
        let parts = group.parts
        let missing = parts.filter { byPath[$0] == nil }
        guard missing.isEmpty else { throw HuggingFaceModelResolverError.missingSplitPart(missing) }
        return parts.compactMap { byPath[$0] }
    }

    // MARK: Addresses

    private func artifact(
        _ file: HuggingFaceTreeFile, role: HuggingFaceArtifactRole, commit: String
    ) throws -> HuggingFaceResolvedArtifact {
        let address = HuggingFaceFileAddress(
            endpoint: reference.endpoint, repo: reference.repo, revision: commit, path: file.path)
        guard let url = address.url else { throw HuggingFaceModelResolverError.invalidURL(file.path.text) }
        return HuggingFaceResolvedArtifact(
            role: role, path: file.path.text, url: url, sizeBytes: file.sizeBytes, sha256: file.sha256)
    }
}
