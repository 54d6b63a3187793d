import CarbocationLocalLLM
import Foundation
import Testing

@Suite("LLMThinkingCapabilities")
struct LLMThinkingCapabilitiesTests {
    private static func derived(_ template: String?) -> LLMThinkingCapabilities {
        .derived(fromChatTemplate: template)
    }

    @Test(
        "TH-10: no template and a plain one allow nothing",
        arguments: [nil, "", "{{ messages }}", "{% for m in messages %}{{ m.content }}{% endfor %}"])
    func nothing(template: String?) {
        #expect(Self.derived(template) == .none)
    }

    @Test("TH-10: the flags")
    func flags() {
        #expect(Self.derived("{% if enable_thinking %}<think>{% endif %}").supportsThinking)
        #expect(!Self.derived("{% if preserve_thinking %}{% endif %}").supportsPreserveThinking)
        #expect(!Self.derived("{{ m.reasoning_content }}").supportsPreserveThinking)
        #expect(Self.derived("{% if preserve_thinking %}{{ m.reasoning_content }}{% endif %}").supportsPreserveThinking)
    }

    @Test(
        "TH-10: efforts and their default",
        arguments: [
            (
                """
                {%- set effort = reasoning_effort|default('xhigh') %}
                {%- if reasoning_effort == 'high' %}{% endif %}
                {%- if reasoning_effort not in ('xhigh','medium','low') %}{{ raise_exception('no') }}{% endif %}
                """, [.low, .medium, .high, .xhigh], .xhigh
            ),
            ("{{ reasoning_effort }}", nil, nil),
            (
                """
                {%- if reasoning_effort is not defined %}
                    {%- set reasoning_effort = 'no_think' %}
                {%- endif %}
                {%- if reasoning_effort not in ['high', 'low', 'no_think'] %}{% endif %}
                """, [.low, .high, .noThink], .noThink
            ),
            (
                """
                {%- if not reasoning_effort is defined %}{%- set reasoning_effort = 'high' %}{%- endif %}
                {%- if reasoning_effort in ["low", "minimal"] -%}{% endif %}
                """, [.minimal, .low, .high], .high
            ),
            (
                """
                {%- set reasoning_effort = reasoning_effort if reasoning_effort is defined else "high" %}
                {%- if 'max' == reasoning_effort %}{% endif %}
                """, [.high, .max], .high
            ),
            ("{% set reasoning_effort = 'low' if reasoning_effort is undefined else reasoning_effort %}", [.low], .low),
            ("{%- set level = reasoning_effort or 'medium' %}", [.medium], .medium),
            ("{%- if (reasoning_effort | lower) == \"none\" %}{% endif %}", [.disabled], nil),
            ("{%- if reasoning_effort.lower() == 'max' %}{% endif %}", [.max], nil),
            ("{%- if ns.default_reasoning_effort == 'low' %}{% endif %}", [.low], nil),
            ("{%- set reasoning_effort = 'low' %}{{ reasoning_effort }}", nil, nil),
            ("{%- if reasoning_effort == 'extreme' %}{% endif %}", nil, nil),
            ("{{ reasoning_effort | default('extreme') }}", nil, nil),
            ("{{ reasoning_effort|default(fallback)|upper }}", nil, nil),
            ("{# reasoning_effort == 'high' #}{{ reasoning_effort }}", nil, nil),
            ("reasoning_effort == 'high' is not code {{ x }}", nil, nil),
            ("{%- if reasoning_effort != 'high' %}{% endif %}", nil, nil),
            ("{%- if reasoning_effort in efforts %}{% endif %}", nil, nil),
            ("reasoning_effort|default('low')", [.low], .low),
        ] as [(String, [LLMReasoningEffort]?, LLMReasoningEffort?)])
    func efforts(template: String, efforts: [LLMReasoningEffort]?, defaultEffort: LLMReasoningEffort?) {
        let capabilities = Self.derived(template)
        #expect(capabilities.supportsReasoningEffort)
        #expect(capabilities.supportedReasoningEfforts == efforts)
        #expect(capabilities.defaultReasoningEffort == defaultEffort)
    }

    @Test(
        "TH-10: what a template does with earlier thinking when nothing is said",
        arguments: [
            ("{% if preserve_thinking is undefined or preserve_thinking is true %}{% endif %}", true),
            ("{% if preserve_thinking is not defined or preserve_thinking %}{% endif %}", true),
            ("{% if not preserve_thinking is defined or preserve_thinking %}{% endif %}", true),
            ("{% set preserve_thinking = preserve_thinking | default(false) %}", false),
            ("{% set keep = preserve_thinking | default(true) %}", true),
            ("{% if preserve_thinking is not defined %}{% set preserve_thinking = false %}{% endif %}", false),
            ("{% set p = preserve_thinking if preserve_thinking is defined else False %}", false),
            ("{% if preserve_thinking %}{% endif %}", nil),
            ("{% if preserve_thinking is defined and preserve_thinking is true %}{% endif %}", nil),
        ] as [(String, Bool?)])
    func preserveDefault(template: String, expected: Bool?) {
        let capabilities = Self.derived(template + "{{ message.reasoning_content }}")
        #expect(capabilities.supportsPreserveThinking)
        #expect(capabilities.defaultPreserveThinking == expected)
    }

    @Test(
        "SC-7: broken templates give an answer too",
        arguments: [
            "{{", "{{ reasoning_effort", "{{ reasoning_effort == 'hi", "{# reasoning_effort", "{% set reasoning_effort",
            "{{ reasoning_effort | default(", "{{ reasoning_effort | }}", "{{ reasoning_effort((( }}",
            "{{ == reasoning_effort }}", "{% set reasoning_effort = %}", "{{ 'a\\", "{{ reasoning_effort in [",
        ])
    func brokenTemplates(template: String) {
        #expect(Self.derived(template).supportedReasoningEfforts == nil)
    }

    @Test("SC-7: long templates take linear time", .timeLimit(.minutes(10)))
    func longTemplate() {
        let template = String(repeating: "{% if reasoning_effort == 'high' %}{{ x }}{% endif %}", count: 5_000)
        #expect(Self.derived(template).supportedReasoningEfforts == [.high])
        let brackets = "{{ reasoning_effort | default" + String(repeating: "(", count: 200_000)
        #expect(Self.derived(brackets).supportsReasoningEffort)
    }

    @Test("TH-10: missing fields take their defaults")
    func codable() throws {
        let decoder = JSONDecoder()
        #expect(try decoder.decode(LLMThinkingCapabilities.self, from: Data("{}".utf8)) == .none)
        let json = Data(#"{"supportsThinking":true,"supportedReasoningEfforts":["low","no_think"]}"#.utf8)
        let expected = LLMThinkingCapabilities(
            supportsThinking: true, supportedReasoningEfforts: [.low, .noThink])
        #expect(try decoder.decode(LLMThinkingCapabilities.self, from: json) == expected)
        #expect(try decoder.decode(LLMThinkingCapabilities.self, from: JSONEncoder().encode(expected)) == expected)
    }
}
