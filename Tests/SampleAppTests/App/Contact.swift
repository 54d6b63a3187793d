import CarbocationLocalLLM

// snippet.contact
/// What the app reads out of a note.
struct Contact: LLMStructured, Equatable {
    var name: String
    var age: Int

    static let jsonSchema: LLMJSONValue = [
        "type": "object",
        "properties": ["name": ["type": "string"], "age": ["type": "integer", "minimum": 0]],
        "required": ["name", "age"],
    ]
}
// snippet.end

/// Reads contacts out of notes.
struct ContactReader: Sendable {
    let engine: any LLMEngine

    // snippet.typed
    func contact(in note: String) async throws -> Contact {
        try await engine.generate(
            as: Contact.self, prompt: "Extract JSON: \(note)", options: GenerationOptions(maxOutputTokens: 256))
    }
    // snippet.end

    // snippet.grammar
    private static let grammar = #"""
        root ::= "{\"name\": \"" [A-Za-z ]+ "\", \"age\": " [0-9]+ "}"
        """#

    /// Asks for JSON in the way that the loaded model supports, see `LocalLLMLoadedModelInfo.supportsGrammar`.
    func contact(in note: String, supportsGrammar: Bool) async throws -> Contact {
        var options = GenerationOptions.extractionSafe
        options.maxOutputTokens = 256
        if supportsGrammar {
            options = options.with(grammar: Self.grammar)
        } else {
            options.stopAtBalancedJSON = true
        }
        let reply = try await engine.generate(system: "", prompt: "Extract JSON: \(note)", options: options) { _ in }
        return try JSONSalvage.decode(Contact.self, from: reply)
    }
    // snippet.end
}
