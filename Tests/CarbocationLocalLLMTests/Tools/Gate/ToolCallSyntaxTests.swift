import CarbocationLocalLLM
import Testing

@Suite("Which syntax a template has")
struct ToolCallSyntaxTests {
    static let templates: [(String, ToolCallSyntax.Family)] = [
        (#"{{- "<tool_call>\n{\"name\": <function-name>}\n</tool_call>" }}"#, .hermes),
        ("<tool_call>\n<function=' + name + '>\n<parameter=", .hermes),
        ("<tool_call>{function-name}<arg_key>", .hermes),
        ("[SYSTEM_PROMPT][TOOL_CALLS]{{ name }}[ARGS]", .mistral),
        (#"Respond in the format {"name": function name, "parameters": x}"#, .llama),
        (#"{{- "Respond in the format {\"name\": function name, \"parameters\": x}" }}"#, .llama),
        ("<|python_tag|>{{ name }}.call(", .llama),
        ("<|header_start|><|python_start|>", .llama),
        ("'<|tool_call>call:' + name", .gemma),
        ("<|start|>assistant<|channel|>analysis<|message|>", .harmony),
        ("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>", .deepSeek),
        ("{%- set dsml_token = '｜DSML｜' %}", .deepSeekMarkup),
        ("<|tool_calls_section_begin|><|tool_call_begin|>", .kimi),
        ("<|tool_list_start|>[", .lfm2), ("List of tools: [", .lfm2),
        ("respond with <tool_calls></tool_calls> XML tags", .apriel),
        ("'<minimax:tool_call>'", .miniMax), ("']<]minimax[>['", .miniMaxNamespace),
        ("<seed:tool_call>", .seed), ("<|START_ACTION|>[", .cohere), ("'<|tools_prefix|>'", .apertus),
        ("respond only with <|tool_call|> followed by a JSON list", .granite), ("<TOOLCALL>[", .nemotron),
        (" functools[", .firefunction), ("start_tag => `<function`", .functionary31),
        ("'>>>all\n' + content", .functionary32), ("<|role_sep|>\n<|message_sep|>", .gigaChat),
        ("<|function_call|>", .gigaChat), ("<|tool_call:begin|>", .solar),
        ("{{ messages }}", .plain), ("<|im_start|>", .plain), ("", .plain),
    ]

    @Test("families by their markers", arguments: templates)
    func detection(template: String, family: ToolCallSyntax.Family) {
        #expect(ToolCallSyntax.detect(template: template, analysis: nil).family == family)
        #expect(ToolCallSyntax.detect(template: template, analysis: ToolMarkers()).family == family)
    }

    @Test("no template means the plain format")
    func noTemplate() {
        let syntax = ToolCallSyntax.detect(template: nil, analysis: nil)
        #expect(syntax == .plain)
        #expect(syntax.acceptsWrapper)
    }

    @Test("the openers of a syntax")
    func openers() {
        #expect(ToolCallSyntax(.hermes, template: "<tool_call>").openers == ["<tool_call>"])
        #expect(ToolCallSyntax(.kimi).openers.contains("<|tool_calls_section_begin|>"))
        #expect(ToolCallSyntax(.functionary32).openers == [">>>"])
    }

    static let analysed: [(json: LLMJSONValue, output: String, calls: [String])] = [
        (
            [
                "format": [
                    "mode": "JSON_NATIVE", "section_start": "", "per_call_start": "<call>\n",
                    "per_call_end": "\n</call>",
                ]
            ], "Hm.<call>\n{\"name\": \"say\", \"arguments\": {\"text\": \"a </call> b\"}}\n</call>",
            [#"say {"text":"a </call> b"}"#]
        ),
        (
            [
                "format": [
                    "mode": "JSON_NATIVE", "section_start": "<calls>[", "section_end": "]</calls>",
                    "tools_array_wrapped": true,
                ]
            ], "Hm.<calls>[{\"name\": \"now\", \"arguments\": {}}, {\"name\": \"now\", \"arguments\": {}}]</calls>",
            ["now {}", "now {}"]
        ),
        (
            ["format": ["mode": "JSON_NATIVE", "section_start": "CALL:", "fun_name_is_key": true]],
            "Hm.CALL: {\"say\": {\"text\": \"x\"}}", [#"say {"text":"x"}"#]
        ),
        (
            [
                "format": [
                    "mode": "TAG_WITH_JSON", "section_start": "<s>", "section_end": "</s>", "per_call_start": "<c>",
                    "per_call_end": "</c>",
                ], "function": ["name_suffix": "<sep>"],
            ], "Hm.<s><c>say<sep>{\"text\":\"x </c> y\"}</c><c>now<sep>{}</c></s>",
            [#"say {"text":"x </c> y"}"#, "now {}"]
        ),
        (
            [
                "format": ["mode": "TAG_WITH_JSON", "per_call_start": "", "per_call_end": ""],
                "function": ["name_prefix": "<fn=", "name_suffix": ">", "close": "</fn>"],
            ], "Hm.<fn=say>{\"text\":\"x\"}</fn>\n<fn=now>{}</fn>", [#"say {"text":"x"}"#, "now {}"]
        ),
        (
            [
                "format": ["mode": "TAG_WITH_TAGGED", "per_call_start": "<c>\n", "per_call_end": "</c>\n"],
                "function": ["name_prefix": "<fn=", "name_suffix": ">\n", "close": "</fn>\n"],
                "arguments": [
                    "name_prefix": "<p=", "name_suffix": ">\n", "value_prefix": "", "value_suffix": "\n</p>\n",
                ],
            ], "Hm.<c>\n<fn=say>\n<p=text>\nx < y </c> z\n</p>\n</fn>\n</c>\n", [#"say {"text":"x < y </c> z"}"#]
        ),
        (
            [
                "format": ["mode": "TAG_WITH_TAGGED", "section_start": "<cs>\n", "section_end": "</cs>"],
                "function": ["name_prefix": "<invoke name=\"", "name_suffix": "\">\n", "close": "</invoke>\n"],
                "arguments": [
                    "name_prefix": "<arg name=\"", "name_suffix": "\">", "value_suffix": "</arg>\n",
                ],
            ],
            "Hm.<cs>\n<invoke name=\"say\">\n<arg name=\"text\">x</arg>\n</invoke>\n<invoke name=\"now\">\n</invoke>\n</cs>",
            [#"say {"text":"x"}"#, "now {}"]
        ),
        (
            [
                "format": ["mode": "TAG_WITH_TAGGED", "per_call_start": "<c>", "per_call_end": "</c>"],
                "arguments": [
                    "name_prefix": "<k>", "name_suffix": "</k>", "value_prefix": "<v>", "value_suffix": "</v>",
                ],
            ], "Hm.<c>say<k>text</k><v>x </c> y</v></c><c>now</c>", [#"say {"text":"x </c> y"}"#, "now {}"]
        ),
    ]

    @Test("formats that only the analysis knows", arguments: analysed.indices)
    func analysis(index: Int) throws {
        let (json, output, calls) = Self.analysed[index]
        let markers = try #require(ToolMarkers(json))
        let syntax = ToolCallSyntax.detect(template: "{{ something else }}", analysis: markers)
        #expect(syntax.family == .analysed)
        let run = GateRun.everyChunking(ToolGate(syntax: syntax, tools: GateTools.all), Turn(output))
        #expect(run.names == calls)
        #expect(run.final == "Hm.")
        #expect(run.rejected.isEmpty)
    }

    @Test("an analysis is read from its JSON")
    func markers() throws {
        let json: LLMJSONValue = [
            "format": ["mode": "TAG_WITH_JSON", "section_start": "<s>", "args_field": "params", "id_field": "id"],
            "function": ["args_separator": "|"], "arguments": ["separator": ","],
            "call_id": ["pos": "BETWEEN_FUNC_AND_ARGS", "prefix": "#", "suffix": "%"],
        ]
        let markers = try #require(ToolMarkers(json))
        #expect(markers.mode == .tagWithJSON)
        #expect(markers.sectionStart == "<s>")
        #expect(markers.nameField == "name")
        #expect(markers.argumentsField == "params")
        #expect(markers.idField == "id")
        #expect(markers.argumentsSeparator == "|")
        #expect(markers.argumentSeparator == ",")
        #expect(markers.callIDPosition == .betweenNameAndArguments)
        #expect(markers.callIDPrefix == "#")
        #expect(ToolMarkers("text") == nil)
        #expect(ToolCallSyntax(ToolMarkers()) == nil)
    }

    @Test("bare objects, where the analysis found no markers")
    func bareObjects() throws {
        let markers = try #require(ToolMarkers(["format": ["mode": "JSON_NATIVE"]]))
        let syntax = ToolCallSyntax.detect(template: nil, analysis: markers)
        let run = GateRun.everyChunking(
            ToolGate(syntax: syntax, tools: GateTools.all), Turn(#"{"name":"now","arguments":{}}"#))
        #expect(run.names == ["now {}"])
    }
}
