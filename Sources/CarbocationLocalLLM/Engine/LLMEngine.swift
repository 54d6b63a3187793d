public import Foundation

/// Something that continues conversations: a loaded model, a system provider or a script.
///
/// Implementations provide ``stream(_:)``; every other way to generate is an adapter over it and gives the same text.
public protocol LLMEngine: Sendable {
    /// The library id of the loaded model, or nil.
    func currentModelID() async -> UUID?

    /// The loaded context in tokens; 0 when nothing is loaded.
    func currentContextSize() async -> Int

    /// Says whether a request fits and how much output it leaves room for, without generating.
    ///
    /// Changes no state. A request that does not fit is a normal answer, not an error.
    func preflight(_ request: LLMGenerationRequest) async throws -> LLMGenerationPreflight

    /// A stream that generates when it is iterated.
    ///
    /// Calling this does nothing yet, see ``LLMGenerationStream``.
    func stream(_ request: LLMGenerationRequest) -> LLMGenerationStream

    /// A stream that generates with tools when it is iterated.
    ///
    /// Calling this does nothing yet, see ``LLMToolGenerationStream``. Engines that cannot use tools need not provide
    /// it.
    ///
    /// - Parameters:
    ///   - request: The conversation and the tools.
    ///   - control: A handle to end the thinking, valid during the whole run.
    /// - Returns: The run.
    func streamWithTools(
        _ request: LLMToolGenerationRequest, control: LLMGenerationControl?
    ) -> LLMToolGenerationStream
}
