import CarbocationLocalLLM
import Foundation

/// The files of a model on a hub as `models resolve` prints them.
struct ResolutionReport {
    let resolution: HuggingFaceResolution

    var json: LLMJSONValue {
        [
            "repo": .string(resolution.reference.repo), "revision": .string(resolution.reference.revision),
            "commit": .string(resolution.commit), "files": .array(resolution.artifacts.map(Self.json)),
        ]
    }

    var text: String {
        let reference = resolution.reference
        let heading = "\(reference.repo) at \(reference.revision) (commit \(resolution.commit))"
        let rows = resolution.artifacts.map { file in
            [file.role.rawValue, file.path, Figure.bytes(file.sizeBytes), file.sha256 ?? "unknown SHA-256"]
        }
        let total = "\(Figure.bytes(resolution.totalSizeBytes)) in all"
        return PlainText.clean(heading) + "\n" + TextTable(rows).text + total + "\n"
    }

    private static func json(_ file: HuggingFaceResolvedArtifact) -> LLMJSONValue {
        [
            "role": .string(file.role.rawValue), "size": .count(file.sizeBytes), "sha256": .text(file.sha256),
            "url": .string(file.url.absoluteString),
        ]
    }
}
