import CarbocationLocalLLM

/// `debug grammar`: the grammar of a JSON Schema, and whether a text belongs to a grammar.
struct DebugGrammarCommand: Command {
    static let jsonSchema = OptionSpecification.value(
        "json-schema", "FILE|JSON", "Print the GBNF grammar of this JSON Schema, or match the input against it.")
    static let check = OptionSpecification.value(
        "check", "FILE", "A GBNF grammar or a JSON Schema to check, and to match the input against.")
    static let input = OptionSpecification.value(
        "input", "FILE", "A text that has to belong to the grammar as a whole.")
    static let json = OptionSpecification.flag("json", "Print what was found as JSON.")
    static let specification = CommandSpecification(
        path: ["debug", "grammar"], summary: "Prints the grammar of a JSON Schema, or checks grammars and texts.",
        options: [jsonSchema, check, input, json])

    private let schema: String?
    private let checkedPath: String?
    private let inputPath: String?
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        schema = try arguments.text(Self.jsonSchema)
        checkedPath = try arguments.text(Self.check)
        inputPath = try arguments.text(Self.input)
        printsJSON = arguments.isSet(Self.json)
        switch (schema, checkedPath) {
        case (nil, nil): throw arguments.usage("--json-schema or --check is missing")
        case (_?, _?): throw arguments.usage("--json-schema and --check exclude each other")
        default: break
        }
    }

    func run(in context: CommandContext) async throws {
        let source = try schema ?? InputFile.text(at: checkedPath ?? "")
        let input = try inputPath.map { try InputFile.text(at: $0) }
        do {
            let grammar = try grammar(source)
            let matches = try isRuntimeNeeded(context) ? context.runtime.inspect(grammar: grammar, text: input) : true
            if printsJSON { try print(isValid: true, matches: input.map { _ in matches }, nil, in: context) }
            guard matches else {
                throw CommandFailure(.checkFailed, "The text of '\(inputPath ?? "")' does not match the grammar.")
            }
            if schema != nil, input == nil, !printsJSON { try context.print(grammar) }
        } catch let error as LLMEngineError where Self.isRefusal(error) {
            let reason = FailureReport(error).message
            if printsJSON { try print(isValid: false, matches: input.map { _ in false }, reason, in: context) }
            throw error
        }
    }

    private static func isRefusal(_ error: LLMEngineError) -> Bool {
        switch error {
        case .grammarParseFailed, .unsupportedSchema: true
        default: false
        }
    }

    /// A grammar as it is, a schema as its grammar.
    private func grammar(_ source: String) throws -> String {
        if schema != nil { return try JSONSchemaGrammar.gbnf(for: SchemaArgument.schema(source)) }
        guard Self.isSchema(source) else { return source }
        return try JSONSchemaGrammar.gbnf(for: SchemaArgument.schema(text: source))
    }

    /// No grammar begins with a brace, or is a single word.
    private static func isSchema(_ text: String) -> Bool {
        let words = text.split(whereSeparator: \.isWhitespace)
        return SchemaArgument.isText(text) || words == ["true"] || words == ["false"]
    }

    /// A build without llama.cpp can still print grammars.
    private func isRuntimeNeeded(_ context: CommandContext) -> Bool {
        inputPath != nil || checkedPath != nil || context.runtime.versions != nil
    }

    private func print(isValid: Bool, matches: Bool?, _ error: String?, in context: CommandContext) throws {
        let report: LLMJSONValue = [
            "valid": .bool(isValid),
            "matches": matches.map { .bool($0) } ?? .null,
            "error": error.map { .string($0) } ?? .null,
        ]
        try context.print(JSONDocument.text(report))
    }
}
