import CarbocationLocalLLM
import CarbocationLocalLLMTools

/// What tools do when the app itself calls them.
enum Conversions {
    static func sum() -> LLMJSONValue {
        // snippet.calculate
        LLMCalculateTool.evaluate(arguments: ["operation": "add", "operands": ["0.1", "0.2"]])
        // snippet.end
    }

    static func miles() -> LLMJSONValue {
        // snippet.convert
        LLMConvertUnitsTool.convert(arguments: ["value": 42.195, "from_unit": "km", "to_unit": "mi"])
        // snippet.end
    }
}
