import CarbocationLocalLLM

/// The selection as programs read it.
enum SelectionReport {
    static func json(_ selection: LLMModelSelection?, _ displayName: String?) -> LLMJSONValue {
        ["selection": .text(selection?.storageValue), "displayName": .text(displayName)]
    }
}
