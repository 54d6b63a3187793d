import CLlama
import CarbocationLocalLLM

/// Hands llama.cpp's log lines on as diagnostics.
enum NativeLog {
    /// Installs the handler, once per process.
    ///
    /// From warnings on: below them llama.cpp names paths, vocabulary and template text, which diagnostics never hold.
    static let install: Void = cl_log_set_handler(
        { level, message, _ in
            LLMDiagnostics.record(NativeLog.level(level), category: "llama.cpp", String(cString: message))
        }, nil, CL_LOG_WARNING)

    private static func level(_ level: cl_log_level) -> LLMDiagnosticRecord.Level {
        switch level {
        case CL_LOG_DEBUG: .debug
        case CL_LOG_INFO: .info
        case CL_LOG_WARNING: .warning
        default: .error
        }
    }
}
