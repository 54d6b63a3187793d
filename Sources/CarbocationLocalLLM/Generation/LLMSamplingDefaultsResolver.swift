/// Puts the layers of sampling settings together, when a generation starts.
///
/// From low to high: the app's global choice, what the model's file recommends, the catalog's entry for the model, the
/// app's own choice for that entry, the request. A nil field never overrides anything; a 0 does.
public enum LLMSamplingDefaultsResolver {
    /// The layers below the request, given one by one.
    ///
    /// - Parameters:
    ///   - globalDefaults: The lowest layer.
    ///   - curatedDefaults: The layer of a catalog entry.
    ///   - appOverrides: The highest layer.
    /// - Returns: One layer with the fields of all.
    public static func resolvedDefaults(
        globalDefaults: LLMSamplingDefaults = .extractionSafe,
        curatedDefaults: LLMSamplingDefaults? = nil,
        appOverrides: LLMSamplingDefaults? = nil
    ) -> LLMSamplingDefaults {
        globalDefaults.merged(with: curatedDefaults).merged(with: appOverrides)
    }

    /// The layers below the request for a model.
    ///
    /// - Parameters:
    ///   - globalDefaults: The lowest layer, and the only one without a model.
    ///   - installedModel: The model; its file's recommendation is the next layer.
    ///   - curatedModels: The catalog to look the model up in. Only models installed from a catalog are looked up.
    ///   - appOverrides: The app's own choices for entries of the catalog.
    /// - Returns: One layer with the fields of all.
    public static func resolvedDefaults(
        globalDefaults: LLMSamplingDefaults = .extractionSafe,
        installedModel: InstalledModel?,
        curatedModels: [CuratedModel] = CuratedModelCatalog.all,
        appOverrides: [CuratedModelReference: LLMSamplingDefaults] = [:]
    ) -> LLMSamplingDefaults {
        guard let installedModel else { return globalDefaults }
        let reference = installedModel.curatedReference
        let entry = curatedModels.first { $0.matches(installedModel) }
        return resolvedDefaults(
            globalDefaults: globalDefaults.merged(with: installedModel.samplingDefaults),
            curatedDefaults: entry?.samplingDefaults,
            appOverrides: reference.flatMap { appOverrides[$0] }
        )
    }

    /// The options of a request with the layers below filled in.
    ///
    /// - Parameters:
    ///   - globalDefaults: The lowest layer.
    ///   - installedModel: The model that generates.
    ///   - curatedModels: The catalog to look the model up in.
    ///   - appOverrides: The app's own choices for entries of the catalog.
    ///   - requestOptions: The highest layer.
    /// - Returns: The request's options; fields that it leaves open come from the layers.
    public static func resolvedOptions(
        globalDefaults: LLMSamplingDefaults = .extractionSafe,
        installedModel: InstalledModel?,
        curatedModels: [CuratedModel] = CuratedModelCatalog.all,
        appOverrides: [CuratedModelReference: LLMSamplingDefaults] = [:],
        requestOptions: GenerationOptions
    ) -> GenerationOptions {
        resolvedDefaults(
            globalDefaults: globalDefaults, installedModel: installedModel, curatedModels: curatedModels,
            appOverrides: appOverrides
        ).applying(to: requestOptions)
    }
}
