import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

/// Calls as templates write them, and the grammars that llama.cpp makes of these templates.
@Suite("Beginnings of calls", .needsRuntime)
struct CallLeadTests {
    static let tool = LLMToolDefinition(
        name: "weather", description: "Tells the weather.",
        parameters: [
            "type": "object", "properties": ["city": ["type": "string"], "days": ["type": "integer"]],
            "required": ["city", "days"],
        ])

    /// A template that comes with llama.cpp, and what it writes for a call.
    struct Sample: Sendable {
        let name: String
        let syntax: ToolCallSyntax
        let grammar: ToolGrammar
        let format: ReplyFormat
        let call: String

        init?(_ url: URL) throws {
            name = url.deletingPathExtension().lastPathComponent
            let source = try String(contentsOf: url, encoding: .utf8)
            let template = try NativeChatTemplate(
                source: source, bos: "<s>", eos: "</s>", addsBOS: false, addsEOS: false)
            guard template.knowsTools, let offer = try ToolOffer([CallLeadTests.tool], choice: .auto)
            else { return nil }
            let question = LLMChatMessage(role: .user, content: "How will it be?")
            let call = LLMToolCall(
                executionID: "call00001", name: "weather", arguments: ["city": "Oslo", "days": 2])
            func render(_ messages: [LLMChatMessage], asks: Bool) throws -> RenderedPrompt {
                var request = PromptRenderRequest(messages: messages, options: GenerationOptions(), tools: offer)
                request.addsGenerationPrompt = asks
                return try template.render(request.json)
            }
            let prompt = try render([question], asks: true)
            let answer = LLMChatMessage(role: .assistant, content: "", toolCalls: [call])
            let whole = try render([question, answer], asks: false)
            self.call = String(whole.text.dropFirst(whole.text.commonPrefix(with: prompt.text).count))
            syntax = ToolCallSyntax.detect(template: source, analysis: prompt.format.toolMarkers)
            guard let grammar = try ToolGrammar(offer, syntax: syntax, format: prompt.format, answerStart: .eager)
            else { return nil }
            self.grammar = grammar
            let phases = ReplyFormat.Phases(
                promptTail: prompt.segments.templateTail, thinkingStart: prompt.format.thinkingStart,
                thinkingEnds: prompt.format.thinkingEnds, template: TemplateReplyMarkers(template: source),
                configuration: LLMStreamPhaseConfiguration())
            format = ReplyFormat(phases: phases, answer: .tools(syntax, offer.tools))
        }
    }

    static let samples: [Sample] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let folder = root.appending(path: "Vendor/llama-artifacts/current/share/templates")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.sorted { $0.lastPathComponent < $1.lastPathComponent }.compactMap { try? Sample($0) }
    }()

    /// What the grammar begins with while the template's own call is read byte by byte; nil if it never does.
    private static func beginning(of sample: Sample) throws -> String? {
        var options = GenerationOptions(temperature: 0)
        options.grammar = sample.grammar.text
        var settings = try SamplerSettings(options)
        settings.grammarStart = .atCall
        let sampler = try NativeSampler(model: ModelFile(url: PocketModel.url).openVocabulary(), settings: settings)
        var reader = ReplyReader(sample.format)
        for byte in sample.call.utf8 {
            _ = reader.push([byte])
            guard reader.isAtCharacterBoundary, let call = reader.openCall,
                case .text(let text)? = sample.grammar.lead?.beginning(of: call)
            else { continue }
            return sampler.beginCallGrammar(with: text) ? text : nil
        }
        return nil
    }

    @Test(
        "TL-8: the grammar of a call begins where the template's call does", .enabled { !samples.isEmpty },
        arguments: [
            ("openai-gpt-oss-120b", "<|channel|>commentary to=functions.weather<|message|>"),
            ("muse-glimmer", " to=tool<|message|><atem:function_calls>"),
            ("meetkai-functionary-medium-v3.2", "weather\n{"), ("Qwen3-Coder", "<tool_call>"),
            ("meta-llama-Llama-3.1-8B-Instruct", "{\"name\": \"weather\""),
            ("Kimi-K2-Instruct", "<|tool_call_begin|>"), ("mistralai-Mistral-Nemo-Instruct-2407", "[TOOL_CALLS]"),
            ("Qwen-Qwen3-0.6B", "<tool_call>\n"), ("deepseek-ai-DeepSeek-V3.2", "<｜DSML｜function_calls>"),
        ])
    func templates(name: String, expected: String) throws {
        let sample = try #require(Self.samples.first { $0.name == name })
        #expect(sample.grammar.start == .atCall)
        #expect(try Self.beginning(of: sample)?.hasPrefix(expected) == true)
    }

    @Test("TL-8: that is so for nearly all templates", .enabled { !samples.isEmpty })
    func coverage() throws {
        // Some write no calls, and of some the prompt ends within thinking or within the opener.
        let begun = try Self.samples.filter { try Self.beginning(of: $0) != nil }
        #expect(begun.count >= 45, "\(Self.samples.map(\.name).filter { !begun.map(\.name).contains($0) })")
    }

    @Test(
        "TL-8: from there on the grammar holds the arguments, and several calls", .enabled { !samples.isEmpty },
        arguments: [
            (
                "openai-gpt-oss-120b",
                "<|channel|>commentary to=functions.weather<|message|>{\"city\":\"Oslo\",\"days\":%}",
                ""
            ),
            ("meetkai-functionary-medium-v3.2", "weather\n{\"city\":\"Oslo\",\"days\":%}", "\n>>>"),
            (
                "muse-glimmer",
                " to=tool<|message|><atem:function_calls>\n<atem:invoke name=\"weather\">\n"
                    + "<atem:parameter name=\"city\">Oslo</atem:parameter>\n<atem:parameter name=\"days\">%"
                    + "</atem:parameter>\n</atem:invoke>\n</atem:function_calls>", "<|eom|><|start|>assistant"
            ),
        ])
    func holds(name: String, call: String, separator: String) throws {
        let grammar = try #require(Self.samples.first { $0.name == name }).grammar.text
        let right = call.replacing("%", with: "2")
        #expect(try NativeGrammar.matches(right, grammar))
        #expect(try !NativeGrammar.matches(call.replacing("%", with: "\"2\""), grammar))
        #expect(try !NativeGrammar.matches(right.replacing("weather", with: "storm"), grammar))
        #expect(try NativeGrammar.matches(right + separator + right, grammar) == !separator.isEmpty)
        #expect(try !NativeGrammar.matches(right + right, grammar))
    }

    @Test(
        "what of a call its grammar begins with",
        arguments: [
            (CallLead.json, OpenCall(lead: "```json\n", body: " {\"tool"), .text("{\"tool")),
            (.json, OpenCall(lead: "<|python_tag|>", body: ""), .open),
            (.json, OpenCall(lead: "<|python_tag|>", body: "search.call("), .none),
            (.opener(["<a>", "<a><b>"]), OpenCall(lead: "<s>", body: "<a><b>"), .text("<a><b>")),
            (.opener(["<a>"]), OpenCall(lead: "<s>", body: ""), .open),
            (.opener(["<a>"]), OpenCall(lead: "<s>", body: String(repeating: "x", count: 600)), .none),
            (
                .recipient, OpenCall(recipient: "add", body: "{"),
                .text("<|channel|>commentary to=functions.add<|message|>{")
            ),
            (.recipient, OpenCall(body: "{"), .none), (.lines, OpenCall(lead: ">>>", body: "add\n{"), .text("add\n{")),
        ] as [(CallLead, OpenCall, CallLead.Beginning)])
    func beginnings(lead: CallLead, call: OpenCall, expected: CallLead.Beginning) {
        #expect(lead.beginning(of: call) == expected)
    }
}
