import CarbocationLocalLLM

extension FamilySample {
    static let more: [FamilySample] = [
        FamilySample(
            name: "LFM2", template: "<|tool_list_start|>", opener: "<|tool_call_start|>[", separator: ", ",
            closer: "]<|tool_call_end|>"
        ) { "\($0)(\($1)=\(object($2)))" },
        FamilySample(
            name: "LFM2 in JSON", template: "List of tools: [", opener: "<|tool_call_start|>[", separator: ", ",
            closer: "]<|tool_call_end|>"
        ) { json($0, $1, $2) },
        FamilySample(
            name: "MiniMax M1", template: "<tool_calls>", opener: "<tool_calls>\n", separator: "\n",
            closer: "\n</tool_calls>"
        ) { json($0, $1, $2) },
        FamilySample(
            name: "MiniMax M2", template: "<minimax:tool_call>", opener: "<minimax:tool_call>\n", separator: "\n",
            closer: "\n</minimax:tool_call>"
        ) { "<invoke name=\"\($0)\">\n<parameter name=\"\($1)\">\($2)</parameter>\n</invoke>" },
        FamilySample(
            name: "MiniMax M3", template: "]<]minimax[>[", opener: "]<]minimax[>[<tool_call>\n", separator: "\n",
            closer: "\n]<]minimax[>[</tool_call>"
        ) {
            "]<]minimax[>[<invoke name=\"\($0)\">]<]minimax[>[<\($1)>\($2)]<]minimax[>[</\($1)>]<]minimax[>[</invoke>"
        },
        FamilySample(name: "Seed", template: "<seed:tool_call>", separator: "\n") {
            "<seed:tool_call>\n<function=\($0)>\n<parameter=\($1)>\($2)</parameter>\n</function>\n</seed:tool_call>"
        },
        FamilySample(
            name: "Command R7B", template: "<|START_ACTION|>", opener: "<|START_ACTION|>[\n    ",
            separator: ",\n    ", closer: "\n]<|END_ACTION|>"
        ) { #"{"tool_call_id": "0", "tool_name": "\#($0)", "parameters": {"\#($1)": \#(object($2))}}"# },
        FamilySample(
            name: "Command R+", template: "Action: ```json <|START_OF_TURN_TOKEN|>", opener: "Action:\n```json\n[\n",
            separator: ",\n", closer: "\n]\n```"
        ) { #"{"tool_name": "\#($0)", "parameters": {"\#($1)": \#(object($2))}}"# },
        FamilySample(
            name: "Apertus", template: "<|tools_prefix|>", opener: "<|tools_prefix|>[", separator: ", ",
            closer: "]<|tools_suffix|>"
        ) { #"{"\#($0)": {"\#($1)": \#(object($2))}}"# },
        FamilySample(
            name: "Granite", template: "<|tool_call|>", opener: "<|tool_call|>[", separator: ", ", closer: "]"
        ) { json($0, $1, $2) },
        FamilySample(
            name: "Nemotron", template: "<TOOLCALL>", opener: "<TOOLCALL>[", separator: ", ", closer: "]</TOOLCALL>"
        ) { json($0, $1, $2) },
        FamilySample(
            name: "Apriel", template: "<tool_calls>[", opener: "<tool_calls>[", separator: ", ",
            closer: "]</tool_calls>"
        ) { json($0, $1, $2) },
        FamilySample(
            name: "Firefunction", template: "functools[", opener: " functools[", separator: ", ", closer: "]"
        ) { json($0, $1, $2) },
        FamilySample(name: "Functionary 3.1", template: "`<function`") {
            "<function=\($0)>{\"\($1)\": \(object($2))}</function>"
        },
        FamilySample(name: "Functionary 3.2", template: ">>>all\n") { ">>>\($0)\n{\"\($1)\": \(object($2))}" },
        FamilySample(
            name: "GigaChat 3.1", template: "<|function_call|>", opener: "<|function_call|>", separator: "\n"
        ) { json($0, $1, $2) },
        FamilySample(name: "GigaChat 3", template: "<|role_sep|><|message_sep|>") {
            "<|message_sep|>\n\nfunction call<|role_sep|>\n\(json($0, $1, $2))"
        },
        FamilySample(
            name: "Solar", template: "<|tool_call:begin|>", opener: "<|tool_calls|>", closer: "<|calls|>"
        ) {
            "<|tool_call:begin|>id1<|tool_call:name|>\($0)<|tool_call:args|>{\"\($1)\": \(object($2))}<|tool_call:end|>"
        },
        FamilySample(name: "MiniCPM", template: "<function name=\"x\"><param name=") {
            "<function name=\"\($0)\"><param name=\"\($1)\"><![CDATA[\($2)]]></param></function>"
        },
        FamilySample(
            name: "InternLM", template: "<|action_start|>",
            call: { "<|action_start|><|plugin|>\n\(json($0, $1, $2))<|action_end|>" }),
        FamilySample(
            name: "OLMo", template: "<function_calls>", opener: "<function_calls>", separator: "\n",
            closer: "</function_calls>"
        ) { "\($0)(\($1)=\(object($2)))" },
        FamilySample(
            name: "Hunyuan", template: "HYTK = ':opensource' <tool_call{}> <tool_sep{}>",
            opener: "<tool_calls:opensource>\n", separator: "\n", closer: "\n</tool_calls:opensource>"
        ) {
            "<tool_call:opensource>\($0)<tool_sep:opensource>\n<arg_key:opensource>\($1)</arg_key:opensource>\n"
                + "<arg_value:opensource>\($2)</arg_value:opensource>\n</tool_call:opensource>"
        },
        FamilySample(
            name: "Kimi K3", template: "<|open|><|close|><|sep|>", opener: "<|open|>tools<|sep|>",
            closer: "<|close|>tools<|sep|><|close|>message<|sep|>"
        ) {
            "<|open|>call tool=\"\($0)\" index=\"1\"<|sep|><|open|>argument key=\"\($1)\" type=\"string\"<|sep|>\($2)"
                + "<|close|>argument<|sep|><|close|>call<|sep|>"
        },
        FamilySample(
            name: "Muse", template: "<atem:function_calls>", separator: "\n",
            call: {
                "<atem:function_calls>\n<atem:invoke name=\"\($0)\">\n<atem:parameter name=\"\($1)\">\($2)"
                    + "</atem:parameter>\n</atem:invoke>\n</atem:function_calls>"
            }),
        FamilySample(name: "calls in prose", template: "") { "[Calling tool: \($0)({\"\($1)\": \(object($2))})]" },
        FamilySample(
            name: "plain", template: "", opener: "{\"tool_calls\": [", separator: ", ", closer: "]}"
        ) { json($0, $1, $2) },
    ]
}
