import CLlama
import CarbocationLocalLLM

/// Turns the status of a native call into the error that its caller throws.
///
/// Each native call has its own initialiser argument saying what the call was for; statuses that mean the same
/// everywhere are mapped first.
struct NativeFailure {
    let status: cl_status
    let reason: String

    /// Captures the status together with the calling thread's error text.
    init(_ status: cl_status) {
        self.status = status
        reason = String(cString: cl_last_error())
    }

    /// The error to throw, where `specific` names what the failed call was for.
    ///
    /// A lost server fails what is loaded; calls that generate say `lost` otherwise.
    func error(
        lost: (String) -> LLMEngineError = { .modelLoadFailed($0) }, _ specific: (String) -> LLMEngineError
    ) -> any Error {
        switch status {
        case CL_SERVER_LOST: lost(reason)
        case CL_RUNTIME_UNAVAILABLE: LLMEngineError.runtimeUnavailable(reason)
        case CL_CANCELLED: CancellationError()
        case CL_OUT_OF_MEMORY: specific("The system has no memory left for it. Use a smaller model or context.")
        default: specific(reason.isEmpty ? "llama.cpp gave no reason (status \(status.rawValue))." : reason)
        }
    }
}

/// Throws unless `status` is a success.
func check(
    _ status: cl_status, lost: (String) -> LLMEngineError = { .modelLoadFailed($0) },
    _ specific: (String) -> LLMEngineError
) throws {
    guard status == CL_OK else { throw NativeFailure(status).error(lost: lost, specific) }
}
