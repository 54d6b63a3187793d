package import CarbocationLocalLLM
package import Foundation

/// What a model with a context of some size is estimated to take, before anything is loaded.
package struct ContextMemoryReport: Sendable, Hashable {
    /// Tokens of the context.
    package var contextSize: Int
    /// Tokens of a batch: the largest that a load would try.
    package var batchSize: Int
    /// Device by device, the host first.
    package var devices: [DeviceMemory]
    /// Whether every device can hold it, as calibration sees it.
    package var fits: Bool

    /// All devices together.
    package var total: LlamaContextMemoryEstimate {
        devices.reduce(into: LlamaContextMemoryEstimate(modelBytes: 0, contextBytes: 0, computeBytes: 0)) {
            sum, device in
            sum.modelBytes += device.modelBytes
            sum.contextBytes += device.contextBytes
            sum.computeBytes += device.computeBytes
        }
    }
}

extension LlamaEngine {
    /// Estimates what contexts of a model would take with a configuration; nothing is allocated for them.
    ///
    /// - Parameters:
    ///   - url: A GGUF file; of a split set, its first part.
    ///   - contexts: Sizes in tokens; nil for those that a calibration may try.
    ///   - configuration: How models are loaded.
    /// - Returns: A report for each size, in their order.
    /// - Throws: `LLMEngineError.runtimeUnavailable`, `.modelLoadFailed` or `.contextInitFailed`.
    package static func contextMemory(
        modelAt url: URL, contexts: [Int]? = nil, configuration: LlamaEngineConfiguration = LlamaEngineConfiguration()
    ) async throws -> [ContextMemoryReport] {
        try await NativeWork().run { signal in
            let outline = try ContextOutline(
                file: ModelFile(url: url), configuration: configuration, threads: 1, signal: signal)
            let budgets = ContextBudgets.current()
            let sizes =
                contexts
                ?? LlamaContextCalibrationAlgorithm.tiers(
                    upTo: min(outline.trainingContext, ContextSettings.largestContext))
            return try sizes.map { size in
                try signal.check()
                let batchSize = max(1, min(size, configuration.batchSizeLimit))
                do {
                    let trial = ContextTrial(contextSize: size, batchSize: batchSize)
                    let devices = try outline.memory(for: trial)
                    return ContextMemoryReport(
                        contextSize: size, batchSize: batchSize, devices: devices, fits: budgets.admit(devices))
                } catch let unsupported as UnsupportedContext {
                    throw LLMEngineError.contextInitFailed(unsupported.reason)
                }
            }
        }
    }
}
