/// The sizes of a context that is tried.
struct ContextTrial: Hashable, Sendable {
    var contextSize: Int
    var batchSize: Int
}

/// What came of a context that was really made.
enum ContextProbe: Hashable, Sendable {
    /// It computed a batch, and a token behind it.
    case computed
    /// It could not be made; a smaller batch may help.
    case refused(String)
    /// It could be made, but not computed with. The model may be unusable now.
    case failed(String)
}

/// What calibration does with a model, beside deciding what to do.
///
/// One call at a time; each may take long, and ends soon after its task was cancelled.
protocol ContextProbing: Sendable {
    /// Loads the model; returns the context it was trained for, 0 when it does not say.
    ///
    /// Throws `LLMEngineError.modelLoadFailed`.
    func open() async throws -> Int

    /// What a context of these sizes would take on each device. Allocates none of it.
    ///
    /// Throws `LLMEngineError.contextInitFailed` when llama.cpp refuses the sizes, ``UnsupportedContext`` when it would
    /// refuse any.
    func measure(_ trial: ContextTrial) async throws -> [DeviceMemory]

    /// Makes such a context, computes with it and frees it.
    ///
    /// Throws ``UnsupportedContext`` when none would work.
    func probe(_ trial: ContextTrial) async throws -> ContextProbe

    /// Loads the model again.
    func reload() async throws

    /// Frees everything.
    func close() async
}
