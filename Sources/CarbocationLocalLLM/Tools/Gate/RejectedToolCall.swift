/// A call that is answered with a mistake and not run.
package struct RejectedToolCall: Error, Sendable, Hashable {
    package enum Code: String, Sendable, Hashable {
        /// No tool of this name was declared.
        case unknownTool = "unknown_tool"
        /// The arguments cannot be read, are no object, or do not fit the tool's schema.
        case invalidArguments = "invalid_arguments"
    }

    package var code: Code
    /// What is wrong, for the model.
    package var message: String
    /// The tool's name, if one could be read: the declared one, or as the model wrote it.
    package var name: String?
    /// The call's unique id within the conversation.
    package var executionID: String
    /// The id as the model wrote it, if it wrote one.
    package var rawID: String?
    /// The arguments, if they could be read.
    package var arguments: LLMJSONValue?
    /// The text of the call with its markers, and that of others in the same envelope.
    package var raw: String
    /// The phase in which the model wrote the call.
    package var triggerPhase: LLMStreamContentPhase

    package init(
        code: Code, message: String, name: String?, executionID: String = "", rawID: String? = nil,
        arguments: LLMJSONValue? = nil, raw: String = "", triggerPhase: LLMStreamContentPhase = .final
    ) {
        self.code = code
        self.message = message
        self.name = name
        self.executionID = executionID
        self.rawID = rawID
        self.arguments = arguments
        self.raw = raw
        self.triggerPhase = triggerPhase
    }
}
