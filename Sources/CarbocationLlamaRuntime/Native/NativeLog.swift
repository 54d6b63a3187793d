import CLlama
import CarbocationLocalLLM

/// Hands llama.cpp's warnings and errors on as diagnostics.
enum NativeLog {
    /// Installs the handler, once per process.
    static let install: Void = cl_log_set_handler(
        { level, message, _ in
            let level: LLMDiagnosticRecord.Level = level == CL_LOG_ERROR ? .error : .warning
            LLMDiagnostics.record(level, category: "llama.cpp", NativeLog.redacted(String(cString: message)))
        }, nil, CL_LOG_WARNING)

    /// A message without what diagnostics never hold: quoted texts, which may be tokens, and file paths.
    static func redacted(_ message: String) -> String {
        let unquoted = message.replacing(/'[^']*'|"[^"]*"|`[^`]*`/, with: "…")
        let words = unquoted.split(separator: " ", omittingEmptySubsequences: false)
        return words.map { $0.contains("/") || $0.contains("\\") ? "…" : $0 }.joined(separator: " ")
    }
}
