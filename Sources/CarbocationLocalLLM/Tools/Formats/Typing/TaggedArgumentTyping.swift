/// Gives the values of tagged arguments the types that a tool's schema declares, where that loses nothing.
package struct TaggedArgumentTyping {
    private let schema: ValueSchema?

    /// Creates the typing of one tool's arguments; without a schema everything stays text.
    package init(schema: LLMJSONValue?) {
        self.schema = schema.map { ValueSchema($0) }
    }

    /// All arguments as one object; values that say nothing where text is not allowed are left out.
    package func object(of arguments: [TaggedArgument]) -> LLMJSONValue {
        var object = LLMJSONObject()
        for argument in arguments {
            let value = TextValue(text: argument.text, notation: argument.notation)
            object[argument.key] = value.typed(by: schema?.member(argument.key))
        }
        return .object(object)
    }
}
