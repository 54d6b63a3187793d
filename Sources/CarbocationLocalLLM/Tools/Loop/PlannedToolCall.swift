/// A call of a reply and what is known about it before anything runs.
package struct PlannedToolCall: Sendable, Hashable {
    /// The call as the conversation shows it.
    package var call: LLMToolCall
    /// Why it does not run, if it does not.
    package var failure: ToolFailure?

    package init(_ call: LLMToolCall, failure: ToolFailure? = nil) {
        self.call = call
        self.failure = failure
    }

    /// The output of a call that does not run, with a message of bounded length.
    func output(of failure: ToolFailure) -> LLMToolOutput {
        let maximumLength = 2000
        var failure = failure
        failure.message = String(String.UnicodeScalarView(failure.message.unicodeScalars.prefix(maximumLength)))
        return LLMToolOutput(callID: call.id, name: call.name, content: failure.output, isError: true)
    }
}

extension PlannedToolCall {
    /// Holds a call of a reply against the tools.
    package init(_ call: ToolReply.Call, tools: [String: LLMToolDefinition]) {
        switch call {
        case .accepted(let call): self = Self(checking: call, tools: tools)
        case .rejected(let rejected):
            self.init(
                LLMToolCall(
                    executionID: rejected.executionID, rawID: rejected.rawID,
                    name: rejected.name ?? Self.unnamed, arguments: rejected.arguments ?? [:],
                    triggerPhase: rejected.triggerPhase),
                failure: ToolFailure(code: rejected.code.rawValue, rejected.message))
        }
    }

    /// What a call without a readable name is called in the conversation, where every call needs one.
    private static let unnamed = "unknown"

    private init(checking call: LLMToolCall, tools: [String: LLMToolDefinition]) {
        guard let tool = tools[call.name] else {
            self.init(call, failure: ToolFailure(code: "unknown_tool", "Unknown tool: \(call.name)"))
            return
        }
        guard let arguments = ArgumentsText(call.arguments)?.object(for: tool.parameters) else {
            let failure = ToolFailure(
                "The arguments of \(call.name) are \(call.arguments.quoted), which is no JSON object. Give an object.")
            // Templates go through the members of arguments.
            var call = call
            call.arguments = [:]
            self.init(call, failure: failure)
            return
        }
        var call = call
        call.arguments = arguments
        let violations = LLMJSONSchemaValidator.violations(of: arguments, against: tool.parameters)
        guard violations.isEmpty else {
            let list = violations.joined(separator: " ")
            self.init(call, failure: ToolFailure("Invalid arguments for \(call.name): \(list)"))
            return
        }
        self.init(call)
    }
}
