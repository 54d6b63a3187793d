import CarbocationLocalLLM
import Testing

/// How one family writes calls, to compose outputs of it.
struct FamilySample: Sendable, CustomTestStringConvertible {
    var name: String
    var template: String
    /// Around all calls of a turn, and between two of them.
    var opener = ""
    var separator = ""
    var closer = ""
    /// One call of a tool with one argument that is text.
    var call: @Sendable (_ tool: String, _ key: String, _ text: String) -> String
    /// Whether a call may follow other text.
    var allowsText = true
    /// Whether calls without markers need to be the whole text.
    var allowsTextAfter = true
    /// Whether the family thinks before it calls.
    var thinks = true

    var testDescription: String { name }

    static func object(_ text: String) -> String {
        LLMJSONValue.string(text).jsonString()
    }

    static func json(_ tool: String, _ key: String, _ text: String) -> String {
        #"{"name": "\#(tool)", "arguments": {"\#(key)": \#(object(text))}}"#
    }

    static func parameters(_ tool: String, _ key: String, _ text: String) -> String {
        "<function=\(tool)>\n<parameter=\(key)>\n\(text)\n</parameter>\n</function>"
    }

    static let all: [FamilySample] = [
        FamilySample(name: "Hermes", template: "<tool_call>") { "<tool_call>\n\(json($0, $1, $2))\n</tool_call>" },
        FamilySample(name: "Qwen with fences", template: "<tool_call>") {
            "<tool_call>\n```json\n\(json($0, $1, $2))\n```\n</tool_call>"
        },
        FamilySample(name: "Qwen Coder", template: "<tool_call>\n<function=", separator: "\n") {
            "<tool_call>\n\(parameters($0, $1, $2))\n</tool_call>"
        },
        FamilySample(name: "function tags alone", template: "<tool_call>\n<function=", separator: "\n") {
            parameters($0, $1, $2)
        },
        FamilySample(name: "GLM", template: "<tool_call><arg_key>") {
            "<tool_call>\($0)\n<arg_key>\($1)</arg_key>\n<arg_value>\($2)</arg_value>\n</tool_call>"
        },
        FamilySample(
            name: "Mistral lists", template: "[TOOL_CALLS]", opener: "[TOOL_CALLS][", separator: ", ", closer: "]"
        ) { json($0, $1, $2) },
        FamilySample(name: "Mistral names", template: "[TOOL_CALLS]") {
            #"[TOOL_CALLS]\#($0)[CALL_ID]123456789[ARGS]{"\#($1)": \#(object($2))}"#
        },
        FamilySample(
            name: "Llama", template: "<|python_tag|>", separator: "; ",
            call: { #"{"name": "\#($0)", "parameters": {"\#($1)": \#(object($2))}}"# },
            allowsText: false, allowsTextAfter: false, thinks: false),
        FamilySample(
            name: "Llama with tag", template: "<|python_tag|>", opener: "<|python_tag|>", separator: "; "
        ) { #"{"name": "\#($0)", "parameters": {"\#($1)": \#(object($2))}}"# },
        FamilySample(
            name: "Llama 4", template: "<|python_start|>", opener: "[", separator: ", ", closer: "]",
            call: { "\($0)(\($1)=\(object($2)))" }, allowsText: false, allowsTextAfter: false, thinks: false),
        FamilySample(
            name: "Llama 4 with tags", template: "<|python_start|>", opener: "<|python_start|>[", separator: ", ",
            closer: "]<|python_end|>"
        ) { "\($0)(\($1)=\(object($2)))" },
        FamilySample(name: "Gemma", template: "<|tool_call>") {
            #"<|tool_call>call:\#($0){\#($1):<|"|>\#($2)<|"|>}<tool_call|>"#
        },
        FamilySample(name: "Gemma, drifted", template: "<|tool_call>") {
            #"<|tool_call|>call:\#($0)({"\#($1)": \#(object($2))})<tool_call|>"#
        },
        FamilySample(
            name: "DeepSeek R1", template: "<｜tool▁calls▁begin｜>", opener: "<｜tool▁calls▁begin｜>", separator: "\n",
            closer: "<｜tool▁calls▁end｜>"
        ) {
            "<｜tool▁call▁begin｜>function<｜tool▁sep｜>\($0)\n```json\n{\"\($1)\": \(object($2))}\n```<｜tool▁call▁end｜>"
        },
        FamilySample(
            name: "DeepSeek V3.1", template: "<｜tool▁call▁begin｜>", opener: "<｜tool▁calls▁begin｜>",
            closer: "<｜tool▁calls▁end｜>"
        ) { "<｜tool▁call▁begin｜>\($0)<｜tool▁sep｜>{\"\($1)\": \(object($2))}<｜tool▁call▁end｜>" },
        FamilySample(
            name: "DeepSeek V3.2", template: "｜DSML｜", opener: "<｜DSML｜function_calls>\n", separator: "\n",
            closer: "\n</｜DSML｜function_calls>"
        ) {
            "<｜DSML｜invoke name=\"\($0)\">\n<｜DSML｜parameter name=\"\($1)\" string=\"true\">\($2)"
                + "</｜DSML｜parameter>\n</｜DSML｜invoke>"
        },
        FamilySample(
            name: "DeepSeek V4", template: "｜DSML｜", opener: "<｜DSML｜tool_calls>\n", separator: "\n",
            closer: "\n</｜DSML｜tool_calls>"
        ) {
            "<｜DSML｜invoke name=\"\($0)\">\n<｜DSML｜parameter name=\"\($1)\" string=\"true\">\($2)"
                + "</｜DSML｜parameter>\n</｜DSML｜invoke>"
        },
        FamilySample(
            name: "Kimi", template: "<|tool_call_begin|>", opener: "<|tool_calls_section_begin|>",
            closer: "<|tool_calls_section_end|>"
        ) { kimi($0, $1, $2) },
        FamilySample(
            name: "Kimi, singular", template: "<|tool_call_begin|>", opener: "<|tool_call_section_begin|>",
            closer: "<|tool_call_section_end|>"
        ) { kimi($0, $1, $2) },
        FamilySample(name: "Kimi without section", template: "<|tool_call_begin|>") { kimi($0, $1, $2) },
    ]

    static func kimi(_ tool: String, _ key: String, _ text: String) -> String {
        "<|tool_call_begin|>functions.\(tool):0<|tool_call_argument_begin|>{\"\(key)\": \(object(text))}<|tool_call_end|>"
    }
}
