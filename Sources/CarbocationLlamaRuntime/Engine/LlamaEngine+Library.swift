public import CarbocationLocalLLM

extension LlamaEngine {
    /// Loads an installed model, see ``load(modelAt:id:displayName:requestedContext:)``.
    ///
    /// - Parameters:
    ///   - model: The model, from the library's lists.
    ///   - library: The library that lists it.
    ///   - requestedContext: Tokens of context; 0 or less chooses the training context.
    /// - Returns: What was loaded.
    /// - Throws: The errors of ``load(modelAt:id:displayName:requestedContext:)``.
    @discardableResult
    public func load(
        model: InstalledModel, from library: ModelLibrary, requestedContext: Int
    ) async throws -> LlamaLoadedModelInfo {
        let descriptor = LlamaModelDescriptor(model: model, root: library.root)
        return try await load(descriptor: descriptor, requestedContext: requestedContext)
    }
}
