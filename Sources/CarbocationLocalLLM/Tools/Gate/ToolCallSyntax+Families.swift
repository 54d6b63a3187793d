extension ToolCallSyntax {
    /// The syntax of a known family.
    ///
    /// - Parameters:
    ///   - family: The family.
    ///   - template: The template's text, which decides about variants within the family.
    package init(_ family: Family, template: String = "") {
        self.init(family: family)
        switch family {
        case .hermes: describeHermes(template)
        case .llama: describeLlama()
        case .kimi: describeKimi()
        case .deepSeek: describeDeepSeek()
        case .solar: describeSolar()
        case .hunyuan: describeHunyuan(template)
        case .miniMax, .miniMaxNamespace, .deepSeekMarkup, .muse, .kimiMarkup: describeMarkup(family)
        case .functionary32: describeRecipients()
        case .gemma: envelopes = ToolCallEnvelope.gemma
        case .apriel: describeApriel(template)
        case .plain:
            acceptsWrapper = true
            acceptsBareCalls = true
        case .harmony, .analysed: break
        default: describeSimple(family)
        }
        envelopes.append(.bracketed)
    }

    /// Families with one kind of call and nothing around it.
    private mutating func describeSimple(_ family: Family) {
        envelopes = ToolCallEnvelope.simple[family] ?? []
        sectionClosers = Self.strayMarkers[family] ?? []
    }

    /// Markers that end what the model did not have to open, or that only some models of a family write.
    private static let strayMarkers: [Family: [String]] = [
        .granite: ["<|/tool_call|>", "</tool_call>"],
        .mistral: ["[/TOOL_CALLS]"],
        .commandRPlus: ["```"],
    ]

    private mutating func describeHermes(_ template: String) {
        envelopes = [.toolCall]
        if template.isEmpty || template.contains("<function=") { envelopes.append(.function) }
    }

    private mutating func describeApriel(_ template: String) {
        envelopes = [.json("<tool_calls>", closer: "</tool_calls>")]
        if template.contains("<tool_call>") { envelopes.append(.toolCall) }
    }

    private mutating func describeLlama() {
        envelopes = [
            ToolCallEnvelope(
                opener: "<|python_tag|>",
                body: .bracketed(BracketedBodyRule(lead: .builtInCall, endsBalanced: true, repeats: true)),
                format: .builtInCall),
            ToolCallEnvelope(
                opener: "<|python_start|>", body: .bracketed(BracketedBodyRule(lead: .call)),
                closers: ["<|python_end|>"],
                format: .callList),
        ]
        acceptsBareCalls = true
        acceptsBareCallList = true
    }

    private mutating func describeKimi() {
        envelopes = [
            ToolCallEnvelope(
                opener: "<|tool_call_begin|>", body: .bracketed(BracketedBodyRule(lead: .anything)),
                closers: ["<|tool_call_end|>"], format: .named(.kimi), isImpliedBySection: true)
        ]
        sectionOpeners = ["<|tool_calls_section_begin|>", "<|tool_call_section_begin|>"]
        sectionClosers = ["<|tool_calls_section_end|>", "<|tool_call_section_end|>"]
    }

    private mutating func describeDeepSeek() {
        envelopes = [
            ToolCallEnvelope(
                opener: "<｜tool▁call▁begin｜>", body: .bracketed(BracketedBodyRule(lead: .anything)),
                closers: ["<｜tool▁call▁end｜>"], format: .named(.deepSeek), isImpliedBySection: true)
        ]
        // Distilled models spell the token of the section in letters.
        let spellings = ["tool▁calls▁%", "tool_calls_%", "tool calls %", #"tool\_calls\_%"#]
        sectionOpeners = spellings.map { "<｜\($0.replacing("%", with: "begin"))｜>" }
        sectionClosers = spellings.map { "<｜\($0.replacing("%", with: "end"))｜>" }
    }

    private mutating func describeSolar() {
        envelopes = [
            ToolCallEnvelope(
                opener: "<|tool_call:begin|>", body: .bracketed(BracketedBodyRule(lead: .anything)),
                closers: ["<|tool_call:end|>"], format: .named(.solar))
        ]
        sectionOpeners = ["<|tool_calls|>", "<|begin|>assistant<|tool_calls|>"]
        sectionClosers = ["<|calls|>"]
    }

    /// Hunyuan's tags carry a suffix that the template defines.
    private mutating func describeHunyuan(_ template: String) {
        let suffix = template.firstMatch(of: /HYTK *= *'([^']*)'/).map { String($0.1) } ?? ""
        let syntax = TaggedCallSyntax.argumentPairs(suffix: suffix)
        envelopes = [
            ToolCallEnvelope(
                opener: "<tool_call\(suffix)>", body: .tagged(TaggedBodyRule(syntax: syntax, lead: .name)),
                closers: ["</tool_call\(suffix)>"], format: .tagged(syntax))
        ]
        sectionOpeners = ["<tool_calls\(suffix)>"]
        sectionClosers = ["</tool_calls\(suffix)>"]
    }

    private mutating func describeRecipients() {
        envelopes = [
            ToolCallEnvelope(opener: ">>>", body: .recipient, format: .named(.functionaryLines)),
            ToolCallEnvelope(opener: "", body: .recipient, format: .named(.functionaryLines), isAtStartOnly: true),
        ]
    }

    /// Families with a tag for each call that names the tool, tags for the arguments, and a tag around all calls.
    private mutating func describeMarkup(_ family: Family) {
        switch family {
        case .miniMax:
            envelopes = [.tags(.invokeTags, isUnambiguous: false)]
            sectionOpeners = ["<minimax:tool_call>"]
            sectionClosers = ["</minimax:tool_call>"]
        case .miniMaxNamespace:
            let namespace = "]<]minimax[>["
            envelopes = [.elements(namespace: namespace)]
            sectionOpeners = [namespace + "<tool_call>"]
            sectionClosers = [namespace + "</tool_call>"]
        case .deepSeekMarkup:
            envelopes = [.tags(.deepSeekMarkup, isUnambiguous: true)]
            sectionOpeners = ["<｜DSML｜function_calls>", "<｜DSML｜tool_calls>"]
            sectionClosers = ["</｜DSML｜function_calls>", "</｜DSML｜tool_calls>"]
        case .muse:
            envelopes = [.tags(.invokeTags(namespace: "atem:"), isUnambiguous: false)]
            sectionOpeners = ["<atem:function_calls>"]
            sectionClosers = ["</atem:function_calls>"]
        default:
            envelopes = [.tags(.separatedTags, isUnambiguous: true)]
            sectionOpeners = ["<|open|>tools<|sep|>"]
            sectionClosers = ["<|close|>tools<|sep|>", "<|close|>message<|sep|>"]
        }
    }
}
