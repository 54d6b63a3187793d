import CarbocationLocalLLM
import Foundation

/// An unfinished download as programs read it.
enum PartialReport {
    static func json(_ partial: PartialDownload) -> LLMJSONValue {
        [
            "id": .string(partial.id), "displayName": .string(partial.displayName),
            "url": .string(partial.sourceURL.absoluteString), "hfRepo": .text(partial.reference?.repo),
            "revision": .text(partial.reference?.revision), "hfFilename": .text(partial.artifactPath),
            "totalBytes": .count(partial.totalBytes), "bytesOnDisk": .count(partial.bytesOnDisk),
            "isComplete": .bool(partial.isComplete),
        ]
    }

    static func row(_ partial: PartialDownload) -> [String] {
        let size = "\(Figure.bytes(partial.bytesOnDisk)) of \(Figure.bytes(partial.totalBytes))"
        let state = partial.isComplete ? "complete" : "\(Int(partial.fractionComplete * 100))%"
        return [partial.id, partial.displayName, size, state, partial.reference?.repo ?? ""]
    }
}
