import Foundation

/// A manifest of Ollama: which blob is the model.
struct OllamaManifest {
    static let maximumBytes = 1 << 20

    private static let modelLayer = "application/vnd.ollama.image.model"

    /// The 64 hexadecimal digits of the model's digest.
    let digest: String

    /// Nil for anything without exactly one model layer; adapters and other layers do not count.
    init?(_ bytes: [UInt8]) {
        guard let manifest = try? LLMJSONValue(jsonData: Data(bytes)) else { return nil }
        let digests = (manifest.array(forKey: "layers") ?? []).compactMap { layer -> String? in
            guard layer.string(forKey: "mediaType") == Self.modelLayer else { return nil }
            return layer.string(forKey: "digest")
        }
        guard digests.count == 1, digests[0].hasPrefix("sha256:"),
            let digest = SHA256Text.normalized(digests[0])
        else { return nil }
        self.digest = digest
    }
}
