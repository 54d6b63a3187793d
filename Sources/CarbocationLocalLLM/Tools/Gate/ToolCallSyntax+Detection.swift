extension ToolCallSyntax {
    /// The syntax of a model.
    ///
    /// Families are recognised by the markers in the template's text. For other templates the markers of llama.cpp's
    /// analysis are used; without them the format is the plain one.
    ///
    /// - Parameters:
    ///   - template: The text of the chat template, if there is one.
    ///   - analysis: What llama.cpp found in it.
    /// - Returns: The family's syntax, the analysed one or the plain one.
    package static func detect(template: String?, analysis: ToolMarkers?) -> ToolCallSyntax {
        if let template, let family = family(of: template) { return ToolCallSyntax(family, template: template) }
        if let analysis, let syntax = ToolCallSyntax(analysis) { return syntax }
        return .plain
    }

    /// The family that a template belongs to.
    ///
    /// The order matters: markers of one family occur in templates of others, as names of their history's parts.
    private static func family(of template: String) -> Family? {
        let markers = TemplateMarkers(template)
        return signatures.first { signature in signature.markers.allSatisfy(markers.contains) }?.family
    }

    /// Texts that, where all of them occur in a template, tell the family.
    private static let signatures: [(family: Family, markers: [String])] = [
        (.muse, ["<atem:function_calls>"]),
        (.harmony, ["<|start|>", "<|channel|>", "<|message|>"]),
        (.functionary32, [">>>all"]),
        (.kimi, ["<|tool_call_begin|>"]),
        (.kimiMarkup, ["<|open|>", "<|close|>", "<|sep|>"]),
        (.cohere, ["<|START_ACTION|>"]),
        (.lfm2, ["<|tool_call_start|>"]),
        (.lfm2, ["<|tool_list_start|>"]),
        (.lfm2, ["List of tools: ["]),
        (.gigaChat, ["<|function_call|>"]),
        (.gigaChat, ["<|role_sep|>", "<|message_sep|>"]),
        (.miniMaxNamespace, ["]<]minimax[>["]),
        (.miniMax, ["<minimax:tool_call>"]),
        (.deepSeekMarkup, ["｜DSML｜"]),
        (.gemma, ["<|tool_call>"]),
        (.solar, ["<|tool_call:begin|>"]),
        (.apertus, ["<|tools_prefix|>"]),
        (.seed, ["<seed:tool_call>"]),
        (.deepSeek, ["<｜tool▁call▁begin｜>"]),
        (.deepSeek, ["<｜tool▁calls▁begin｜>"]),
        (.mistral, ["[TOOL_CALLS]"]),
        (.miniCPM, ["<function name=", "<param name="]),
        (.hunyuan, ["<tool_call{}>", "<tool_sep{}>"]),
        (.hunyuan, ["<tool_sep>"]),
        (.nemotron, ["<TOOLCALL>"]),
        (.internLM, ["<|action_start|>"]),
        (.apriel, ["<tool_calls>"]),
        (.hermes, ["<tool_call>"]),
        (.firefunction, ["functools["]),
        (.granite, ["<|tool_call|>"]),
        (.functionary31, ["<function="]),
        (.functionary31, ["`<function`"]),
        (.olmo, ["<function_calls>"]),
        (.llama, ["<|python_tag|>"]),
        (.llama, ["<|python_start|>"]),
        (.llama, [#"Respond in the format {"name": function name"#]),
        (.commandRPlus, ["Action:", "```json", "<|START_OF_TURN_TOKEN|>"]),
    ]
}

/// Looks for texts in a template, also where it writes them with escapes.
private struct TemplateMarkers {
    private let text: String

    init(_ template: String) {
        text = template.contains("\\\"") ? template.replacing("\\\"", with: "\"") : template
    }

    func contains(_ marker: String) -> Bool {
        text.contains(marker)
    }
}
