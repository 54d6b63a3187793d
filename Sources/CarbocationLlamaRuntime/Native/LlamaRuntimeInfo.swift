import CLlama

/// Which llama.cpp this build carries.
package enum LlamaRuntimeInfo {
    /// Whether a llama artifact was linked in.
    package static var isAvailable: Bool { cl_runtime_is_available() }
    /// llama.cpp's version; empty without a runtime.
    package static var version: String { String(cString: cl_runtime_version()) }
    /// The full commit of the llama.cpp source; empty without a runtime.
    package static var commit: String { String(cString: cl_runtime_commit()) }
    /// ggml's version; empty without a runtime.
    package static var ggmlVersion: String { String(cString: cl_runtime_ggml_version()) }
}
