import CarbocationLocalLLM
import Testing

/// A body of one or two calls in one syntax, to be cut, mutated and lengthened.
struct DecoderSample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let decoder: any ToolCallBodyDecoding
    /// A body with `argument` as the text of a call of `write` before a call of `now`.
    let body: @Sendable (_ argument: String) -> String
    /// Whether a body without its end can be a call, because only the envelope tells where it ends.
    var isOpenEnded = false

    func summary(_ body: String) -> [String] {
        decoder.summary(of: body, tools: SampleTools.all)
    }

    static let all: [DecoderSample] = [
        DecoderSample(testDescription: "JSON", decoder: JSONCallDecoder()) { text in
            #"{"name":"write","arguments":{"text":\#(quoted(text)),"path":"p"}};{"name":"now","arguments":{}}"#
        },
        DecoderSample(testDescription: "JSON list", decoder: JSONCallDecoder()) { text in
            #"[{"id":"1","function":{"name":"write","arguments":{"text":\#(quoted(text)),"path":"p"}}},{"name":"now"}]"#
        },
        DecoderSample(testDescription: "JSON key", decoder: JSONCallDecoder(namePlace: .key)) { text in
            #"[{"write":{"text":\#(quoted(text)),"path":"p"}},{"now":{}}]"#
        },
        DecoderSample(testDescription: "Python dictionary", decoder: JSONCallDecoder()) { text in
            #"[{'name':'write','arguments':{'text':\#(quoted(text)),'path':'p'}},{'name':'now'}]"#
        },
        DecoderSample(testDescription: "Mistral", decoder: NamedJSONCallDecoder(.mistral)) { text in
            #"write[ARGS]{"text":\#(quoted(text)),"path":"p"}[TOOL_CALLS]now[ARGS]{}"#
        },
        DecoderSample(testDescription: "DeepSeek", decoder: NamedJSONCallDecoder(.deepSeek)) { text in
            "function<｜tool▁sep｜>write\n```json\n{\"text\":\(quoted(text)),\"path\":\"p\"}\n```<｜tool▁call▁end｜>"
                + "<｜tool▁call▁begin｜>now<｜tool▁sep｜>{}"
        },
        DecoderSample(
            testDescription: "Kimi", decoder: NamedJSONCallDecoder(.kimi),
            body: { text in
                #"functions.write:0<|tool_call_argument_begin|>{"text":\#(quoted(text)),"path":"p"}<|tool_call_end|>"#
                    + "<|tool_call_begin|>now:1<|tool_call_argument_begin|>{}"
            }, isOpenEnded: true),
        DecoderSample(testDescription: "Gemma", decoder: GemmaCallDecoder()) { text in
            ##"call:write{text:<|"|>\##(text)<|"|>,path:<|"|>p<|"|>}call:now{}"##
        },
        DecoderSample(testDescription: "Pythonic", decoder: PythonicCallDecoder()) { text in
            #"[write(text=\#(quoted(text)), path="p"), now()]"#
        },
        DecoderSample(testDescription: "Bracketed", decoder: BracketedCallDecoder()) { text in
            #"write({"text":\#(quoted(text)),"path":"p"}), now()]"#
        },
        DecoderSample(
            testDescription: "Function tags", decoder: TaggedCallDecoder(.functionTags, tools: SampleTools.all),
            body: { text in
                "<function=write>\n<parameter=text>\n\(text)\n</parameter>\n"
                    + "<parameter=path>\np\n</parameter>\n</function>\n"
                    + "<function=now>\n</function>"
            }, isOpenEnded: true),
        DecoderSample(
            testDescription: "Function tags in lines", decoder: TaggedCallDecoder(.functionTags),
            body: { text in
                "<function=write><parameter=text>\(text)</parameter>"
                    + "<parameter=path>p</parameter></function><function=now></function>"
            }, isOpenEnded: true),
        DecoderSample(
            testDescription: "Invocations", decoder: TaggedCallDecoder(.deepSeekMarkup),
            body: { text in
                "<｜DSML｜invoke name=\"write\"><｜DSML｜parameter name=\"text\" string=\"true\">\(text)</｜DSML｜parameter>"
                    + "<｜DSML｜parameter name=\"path\" string=\"true\">p</｜DSML｜parameter></｜DSML｜invoke>"
                    + "<｜DSML｜invoke name=\"now\"></｜DSML｜invoke>"
            }, isOpenEnded: true),
        DecoderSample(testDescription: "Elements", decoder: ElementCallDecoder(namespace: "#", tools: SampleTools.all))
        { text in
            "#<invoke name=\"write\">#<text>\(text)#</text>#<path>p#</path>#</invoke>#<invoke name=\"now\">#</invoke>"
        },
    ]

    private static func quoted(_ text: String) -> String {
        LLMJSONValue.string(text).jsonString()
    }
}
