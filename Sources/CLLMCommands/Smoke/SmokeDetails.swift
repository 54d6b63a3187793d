import CarbocationLlamaRuntime

/// What `smoke` tells about a loaded model.
struct SmokeDetails {
    let details: LlamaLoadedModelInfo
    let versions: RuntimeVersions?
    let loadTime: Duration

    init(_ details: LlamaLoadedModelInfo, versions: RuntimeVersions?, loadTime: Duration) {
        self.details = details
        self.versions = versions
        self.loadTime = loadTime
    }

    var text: String {
        var lines: [String] = []
        if let versions { lines.append("llama.cpp: \(versions.llama) (commit \(versions.commit))") }
        lines += [
            "architecture: \(details.architecture ?? "unknown")",
            "context: \(details.contextSize) of \(details.trainingContextSize)",
            "load: \(Figure.milliseconds(loadTime))",
            "embeddedTemplate: \(details.hasEmbeddedChatTemplate)",
            "formatter=\(details.templateFormatter ?? "none")",
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}
