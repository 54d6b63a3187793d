extension TaggedCallSyntax {
    /// A syntax from the texts that stand around names and values in a template's output.
    ///
    /// White space around each of them is left out of account.
    ///
    /// - Parameters:
    ///   - functionPrefix: Before a function's name; empty if the name comes first.
    ///   - functionSuffix: After a function's name.
    ///   - functionClose: After a function's arguments; may be empty.
    ///   - keyPrefix: Before a parameter's name.
    ///   - keySuffix: After a parameter's name.
    ///   - valuePrefix: Before a value, after what follows the name; may be empty.
    ///   - valueSuffix: After a value.
    ///   - fillers: What may stand between these parts, such as separators and what is around all arguments.
    package init(
        functionPrefix: String,
        functionSuffix: String,
        functionClose: String,
        keyPrefix: String,
        keySuffix: String,
        valuePrefix: String,
        valueSuffix: String,
        fillers: [String] = []
    ) {
        self.init(
            function: OpeningTag(prefix: functionPrefix, suffix: functionSuffix),
            functionClose: functionClose.trimmed,
            parameter: OpeningTag(prefix: keyPrefix, suffix: keySuffix),
            valuePrefix: valuePrefix.trimmed,
            valueClose: valueSuffix.trimmed,
            fillers: fillers.map(\.trimmed))
    }
}
