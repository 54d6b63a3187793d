/// The system's language model, as the test's ``StubScript`` says.
@available(macOS 26.0, iOS 26.0, *)
public final class SystemLanguageModel: Sendable {
    /// Whether the model can be used.
    @frozen
    public enum Availability: Equatable, Sendable {
        /// Why it cannot.
        public enum UnavailableReason: Equatable, Hashable, Sendable {
            /// The device cannot.
            case deviceNotEligible
            /// The user has not turned it on.
            case appleIntelligenceNotEnabled
            /// The model is not there yet.
            case modelNotReady
            /// Stands for what later systems add.
            case later
        }

        /// It can.
        case available
        /// It cannot.
        case unavailable(UnavailableReason)
    }

    /// Why tokens are not counted.
    package struct NoCount: Error {}

    private let script: StubScript

    private init(_ script: StubScript) {
        self.script = script
    }

    /// The model.
    public static var `default`: SystemLanguageModel { SystemLanguageModel(StubScript.current) }

    /// Whether the model can be used.
    public var availability: Availability { script.availability }

    /// The context in tokens.
    public var contextSize: Int { script.contextSize }

    /// The tokens of a transcript.
    nonisolated(nonsending) public func tokenCount(
        for transcriptEntries: some Collection<Transcript.Entry>
    ) async throws -> Int {
        guard let tokenCount = script.tokenCount else { throw NoCount() }
        return await tokenCount(Transcript(entries: transcriptEntries))
    }

    /// The tokens of a schema.
    nonisolated(nonsending) public func tokenCount(for schema: GenerationSchema) async throws -> Int {
        guard script.tokenCount != nil else { throw NoCount() }
        return schema.debugDescription.utf8.count
    }
}
