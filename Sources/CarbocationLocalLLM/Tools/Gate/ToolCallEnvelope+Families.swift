extension ToolCallEnvelope {
    /// `<tool_call>…</tool_call>`, whose body decides about its format.
    static let toolCall = ToolCallEnvelope(
        opener: "<tool_call>", body: .mixed, closers: ["</tool_call>"], format: .mixed)

    /// `<function=name>…</function>` by itself.
    static let function = ToolCallEnvelope(
        opener: "<function=", body: .function, closers: ["</function>"], boundaries: ["<tool_call>", "</tool_call>"],
        format: .tagged(.functionTags), bodyStart: 0)

    /// `[Calling tool: name({…})]`, as models write that have seen calls in prose only.
    static let bracketed = ToolCallEnvelope(
        opener: "[Calling tool:",
        body: .bracketed(BracketedBodyRule(lead: .call, endsBalanced: true, beginsInBracket: true)),
        format: .bracketed, undeclaredIsText: true)

    /// The envelopes of Gemma 4, with its own tokens and with the first of them misspelt.
    static let gemma = ["<|tool_call>", "<|tool_call|>"].map { opener in
        ToolCallEnvelope(
            opener: opener, body: .bracketed(BracketedBodyRule(lead: .gemma)), closers: ["<tool_call|>"],
            boundaries: ["<|tool_call>", "<|tool_call|>"],
            format: .gemma)
    }

    /// The families whose calls stand for themselves.
    static let simple: [ToolCallSyntax.Family: [ToolCallEnvelope]] = [
        .apertus: [.json("<|tools_prefix|>", closer: "<|tools_suffix|>", format: .json(.key))],
        .cohere: [.json("<|START_ACTION|>", closer: "<|END_ACTION|>")],
        .nemotron: [.json("<TOOLCALL>", closer: "</TOOLCALL>")],
        .internLM: [
            .json("<|action_start|><|plugin|>", closer: "<|action_end|>"),
            .json("<|action_start|> <|plugin|>", closer: "<|action_end|>"),
        ],
        .granite: [.balanced("<|tool_call|>", BracketedBodyRule(lead: .space, repeats: true))],
        .gigaChat: [
            .balanced("<|function_call|>", BracketedBodyRule(lead: .space, repeats: true)),
            .balanced(
                "<|message_sep|>\n\nfunction call<|role_sep|>\n", BracketedBodyRule(lead: .space, repeats: true)),
        ],
        .commandRPlus: [.balanced("Action:", BracketedBodyRule(lead: .fence))],
        .mistral: [.balanced("[TOOL_CALLS]", BracketedBodyRule(lead: .name), format: .named(.mistral))],
        .firefunction: [" functools[", "functools["].map { opener in
            var envelope = balanced(
                opener, BracketedBodyRule(lead: .space, beginsInBracket: true))
            envelope.bodyStart = opener.utf8.count - 1
            return envelope
        },
        .functionary31: [.function],
        .lfm2: [
            ToolCallEnvelope(
                opener: "<|tool_call_start|>", body: .bracketed(BracketedBodyRule(lead: .call)),
                closers: ["<|tool_call_end|>"], format: .callList)
        ],
        .olmo: [
            ToolCallEnvelope(
                opener: "<function_calls>", body: .bracketed(BracketedBodyRule(lead: .call)),
                closers: ["</function_calls>"],
                format: .callList)
        ],
        .seed: [
            ToolCallEnvelope(
                opener: "<seed:tool_call>", body: .tagged(.functionTags), closers: ["</seed:tool_call>"],
                format: .tagged(.functionTags))
        ],
        .miniCPM: [
            ToolCallEnvelope(
                opener: #"<function name=""#,
                body: .tagged(TaggedBodyRule(syntax: .namedFunctionTags, lead: .name)),
                closers: ["</function>"], format: .tagged(.namedFunctionTags), bodyStart: 0)
        ],
    ]

    /// JSON between two markers.
    static func json(
        _ opener: String, closer: String, format: ToolCallBodyFormat = .json(.value)
    ) -> ToolCallEnvelope {
        ToolCallEnvelope(
            opener: opener, body: .bracketed(BracketedBodyRule(lead: .space)), closers: [closer], format: format)
    }

    /// JSON behind a marker, up to its last bracket.
    static func balanced(
        _ opener: String, _ rule: BracketedBodyRule, format: ToolCallBodyFormat = .json(.value)
    ) -> ToolCallEnvelope {
        var rule = rule
        rule.endsBalanced = true
        return ToolCallEnvelope(opener: opener, body: .bracketed(rule), format: format)
    }

    /// `<invoke name="…"><parameter name="…">…</parameter></invoke>` and its like.
    static func tags(_ syntax: TaggedCallSyntax, isUnambiguous: Bool) -> ToolCallEnvelope {
        let rule = TaggedBodyRule(
            syntax: syntax, lead: isUnambiguous ? .anything : .name, isUnambiguous: isUnambiguous)
        return ToolCallEnvelope(
            opener: syntax.function.prefix, body: .tagged(rule), closers: [syntax.functionClose],
            format: .tagged(syntax), bodyStart: 0)
    }
}

extension ToolCallEnvelope {
    /// MiniMax M3: a token before each tag, and tags for the arguments that are named like these.
    static func elements(namespace: String) -> ToolCallEnvelope {
        let syntax = TaggedCallSyntax(
            function: OpeningTag(prefix: namespace + #"<invoke name=""#, nameEnd: "\"", end: ">"),
            functionClose: namespace + "</invoke>", parameter: OpeningTag(prefix: "", end: ""), valueClose: "")
        var envelope = tags(syntax, isUnambiguous: true)
        envelope.format = .elements(namespace: namespace)
        return envelope
    }
}
