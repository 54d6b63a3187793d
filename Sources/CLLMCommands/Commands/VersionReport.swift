/// The text of `--version`.
struct VersionReport {
    /// The version of this package.
    static let packageVersion = "0.1.0"

    let runtime: RuntimeVersions?

    init(_ runtime: RuntimeVersions?) {
        self.runtime = runtime
    }

    var text: String {
        guard let runtime else {
            return "cllm \(Self.packageVersion)\nllama.cpp: not linked ('make setup' builds it, then build again)\n"
        }
        return """
            cllm \(Self.packageVersion)
            llama.cpp \(runtime.llama) (commit \(runtime.commit))
            ggml \(runtime.ggml)

            """
    }
}
