extension LLMEngine {
    /// Generates a value of a type, see ``LLMStructured``.
    ///
    /// The answer has to follow the type's schema, which replaces that of the options. The model may think before it;
    /// the thinking is dropped. Cancelling the task cancels the generation and throws `CancellationError`.
    ///
    /// - Parameters:
    ///   - type: The type to generate.
    ///   - system: What the model is told about its task; left out when blank.
    ///   - prompt: What it is asked.
    ///   - options: How to generate; without a grammar of their own.
    ///   - control: Ends the thinking on request.
    /// - Returns: The value.
    /// - Throws: ``LLMEngineError/structuredOutputInvalid(_:)`` when the answer was cut off, breaks the schema, which not
    ///   every engine enforces, or does not decode, ``LLMEngineError/unsupportedSchema(_:)`` for a schema that cannot be
    ///   enforced, and what generating throws.
    public func generate<T: LLMStructured>(
        as type: T.Type,
        system: String = "",
        prompt: String,
        options: GenerationOptions = GenerationOptions(),
        control: LLMGenerationControl? = nil
    ) async throws -> T {
        let options = options.with(jsonSchema: T.jsonSchema)
        let request = LLMGenerationRequest(system: system, prompt: prompt, options: options, control: control)
        return try StructuredDecoding.decode(type, from: await stream(request).result(), schema: T.jsonSchema)
    }

    /// Continues a conversation with a value of a type, see ``LLMStructured``.
    ///
    /// The answer has to follow the type's schema, which replaces that of the options. The model may think before it;
    /// the thinking is dropped. Cancelling the task cancels the generation and throws `CancellationError`.
    ///
    /// - Parameters:
    ///   - type: The type to generate.
    ///   - messages: The conversation so far.
    ///   - options: How to generate; without a grammar of their own.
    ///   - control: Ends the thinking on request.
    /// - Returns: The value.
    /// - Throws: ``LLMEngineError/structuredOutputInvalid(_:)`` when the answer was cut off, breaks the schema, which not
    ///   every engine enforces, or does not decode, ``LLMEngineError/unsupportedSchema(_:)`` for a schema that cannot be
    ///   enforced, and what generating throws.
    public func generate<T: LLMStructured>(
        as type: T.Type,
        messages: [LLMChatMessage],
        options: GenerationOptions = GenerationOptions(),
        control: LLMGenerationControl? = nil
    ) async throws -> T {
        let options = options.with(jsonSchema: T.jsonSchema)
        let request = LLMGenerationRequest(messages: messages, options: options, control: control)
        return try StructuredDecoding.decode(type, from: await stream(request).result(), schema: T.jsonSchema)
    }
}
