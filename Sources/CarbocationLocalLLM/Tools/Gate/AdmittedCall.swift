/// A call that was held against the declared tools, before it has its id.
enum AdmittedCall: Sendable, Hashable {
    case accepted(LLMToolCall)
    case rejected(RejectedToolCall)

    var rawID: String? {
        switch self {
        case .accepted(let call): call.rawID
        case .rejected(let call): call.rawID
        }
    }

    /// The gate's output for the call with its id.
    func output(executionID: String) -> ToolGateOutput {
        switch self {
        case .accepted(var call):
            call.executionID = executionID
            return .call(call)
        case .rejected(var call):
            call.executionID = executionID
            return .rejected(call)
        }
    }
}
