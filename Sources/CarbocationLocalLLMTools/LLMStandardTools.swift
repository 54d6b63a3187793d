public import CarbocationLocalLLM

/// The tools that come with the package.
///
/// Their results are objects: `{"ok":true,…}`, or `{"ok":false,"error":{"code":…,"message":…}}` with a sentence that
/// helps the model to call again.
public enum LLMStandardTools {
    /// All of them, in the order `load_webpage`, `calculate`, `convert_units`.
    ///
    /// - Parameters:
    ///   - webpageConfiguration: The limits of `load_webpage`.
    ///   - webpageFetcher: Loads the pages; the default asks the network.
    /// - Returns: The tools.
    public static func initialTools(
        webpageConfiguration: LLMLoadWebpageTool.Configuration = LLMLoadWebpageTool.Configuration(),
        webpageFetcher: any LLMWebpageFetching = URLSessionWebpageFetcher()
    ) -> [LLMTool] {
        [
            loadWebpage(configuration: webpageConfiguration, fetcher: webpageFetcher), calculate(), convertUnits(),
        ]
    }

    /// The tool `load_webpage`, see ``LLMLoadWebpageTool/load(arguments:configuration:fetcher:)``.
    ///
    /// - Parameters:
    ///   - configuration: The limits.
    ///   - fetcher: Loads the pages; the default asks the network.
    /// - Returns: The tool.
    public static func loadWebpage(
        configuration: LLMLoadWebpageTool.Configuration = LLMLoadWebpageTool.Configuration(),
        fetcher: any LLMWebpageFetching = URLSessionWebpageFetcher()
    ) -> LLMTool {
        LLMTool(definition: LLMLoadWebpageTool.definition) { arguments in
            try await LLMLoadWebpageTool.load(arguments: arguments, configuration: configuration, fetcher: fetcher)
        }
    }

    /// The tool `calculate`: exact decimal arithmetic on this machine, see ``LLMCalculateTool/evaluate(arguments:)``.
    public static func calculate() -> LLMTool {
        local(LLMCalculateTool.definition, LLMCalculateTool.evaluate)
    }

    /// The tool `convert_units`: exact conversions on this machine, see ``LLMConvertUnitsTool/convert(arguments:)``.
    public static func convertUnits() -> LLMTool {
        local(LLMConvertUnitsTool.definition, LLMConvertUnitsTool.convert)
    }

    /// A tool that works at once, without waiting for anything.
    private static func local(
        _ definition: LLMToolDefinition, _ body: @escaping @Sendable (LLMJSONValue) -> LLMJSONValue
    ) -> LLMTool {
        LLMTool(definition: definition) { arguments in
            try Task.checkCancellation()
            return body(arguments)
        }
    }
}
