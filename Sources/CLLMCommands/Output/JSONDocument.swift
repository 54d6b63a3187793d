import CarbocationLocalLLM

/// The one document that `--json` prints.
enum JSONDocument {
    static func text(_ value: LLMJSONValue) -> String {
        value.jsonString(prettyPrinted: true, sortedKeys: true) + "\n"
    }
}
