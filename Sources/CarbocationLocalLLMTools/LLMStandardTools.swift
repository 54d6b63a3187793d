public import CarbocationLocalLLM

/// The tools that come with the package.
///
/// Their results are objects: `{"ok":true,…}`, or `{"ok":false,"error":{"code":…,"message":…}}` with a sentence that
/// helps the model to call again.
public enum LLMStandardTools {
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
