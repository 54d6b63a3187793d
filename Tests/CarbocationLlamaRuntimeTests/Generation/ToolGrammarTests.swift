import CarbocationLocalLLM
import Testing

@testable import CarbocationLlamaRuntime

@Suite("ToolGrammar", .needsRuntime)
struct ToolGrammarTests {
    private static let add = LLMToolDefinition(
        name: "add", description: "Adds.",
        parameters: [
            "type": "object", "properties": ["a": ["$ref": "#/$defs/number"], "note": ["type": "string"]],
            "required": ["a"], "$defs": ["number": ["type": "integer"]],
        ])
    private static let now = LLMToolDefinition(name: "now", description: "The time.")

    private static func grammar(
        _ syntax: ToolCallSyntax, _ choice: LLMToolChoice, tools: [LLMToolDefinition] = [add, now],
        details: LLMJSONValue = [:]
    ) throws -> ToolGrammar? {
        let offer = try #require(try ToolOffer(tools, choice: choice))
        let format = ChatFormat(details: details, formatter: "llama-jinja", prompt: [])
        return try ToolGrammar(offer, syntax: syntax, format: format, answerStart: .eager)
    }

    @Test(
        "TF-1: plain calls are those of the wrapper, with the tools' schemas",
        arguments: [
            (#"{"tool_calls":[{"name":"add","arguments":{"a":1,"note":"x"}}]}"#, true),
            (#"{"tool_calls":[{"name":"add","arguments":{"a":1}},{"name":"now","arguments":{}}]}"#, true),
            (#"{"tool_calls":[]}"#, false),
            (#"{"tool_calls":[{"name":"sub","arguments":{}}]}"#, false),
            (#"{"tool_calls":[{"name":"add","arguments":{"a":"1"}}]}"#, false),
            (#"{"tool_calls":[{"name":"add","arguments":{}}]}"#, false),
            ("Sure.", false),
        ])
    func plain(text: String, isCall: Bool) throws {
        let grammar = try #require(try Self.grammar(.plain, .required))
        #expect(grammar.start == .eager)
        #expect(try NativeGrammar.matches(text, grammar.text) == isCall)
    }

    @Test("TL-8: without a requirement the grammar waits for a call")
    func waiting() throws {
        let grammar = try #require(try Self.grammar(.plain, .auto))
        #expect(grammar.start == .atCall)
        #expect(grammar.lead == .json)
        for call in [#"{"name":"now","arguments":{}}"#, #"[{"name":"add","arguments":{"a":2}}]"#] {
            #expect(try NativeGrammar.matches(call, grammar.text), "any way that is read as a call")
        }
        #expect(try !NativeGrammar.matches(#"[{"name":"add","arguments":{"a":"2"}}]"#, grammar.text))
    }

    @Test("calls of Llama 3 are bare objects with parameters")
    func bare() throws {
        let syntax = ToolCallSyntax(.llama, template: "")
        let grammar = try #require(try Self.grammar(syntax, .named("add")))
        #expect(try NativeGrammar.matches(#"{"name":"add","parameters":{"a":-3}}"#, grammar.text))
        #expect(try !NativeGrammar.matches(#"{"name":"now","parameters":{}}"#, grammar.text))
    }

    @Test("references below properties of any name stay valid")
    func references() throws {
        var odd = Self.add
        odd.parameters = [
            "type": "object", "properties": ["default": ["$ref": "#/definitions/enum"]], "required": ["default"],
            "definitions": ["enum": ["enum": [["$ref": "#/x"]]]],
        ]
        let grammar = try #require(try Self.grammar(.plain, .required, tools: [Self.now, odd]))
        let text = ##"{"tool_calls":[{"name":"add","arguments":{"default":{"$ref":"#/x"}}}]}"##
        #expect(try NativeGrammar.matches(text, grammar.text))
    }

    @Test(
        "TL-8: a grammar that admits a reply without a call cannot require one",
        arguments: [
            (#"root ::= "<c>""#, true), (#"root ::= "<c>"?"#, false), (#"root ::= "<c>" | "[/TOOL_CALLS]""#, false),
            (#"root ::= root"#, false),
        ])
    func requirable(text: String, canRequire: Bool) {
        var syntax = ToolCallSyntax(.mistral)
        syntax.sectionClosers = ["[/TOOL_CALLS]"]
        let details: LLMJSONValue = [
            "grammar": .string(text), "grammar_lazy": true, "triggers": [["type": "word", "value": "<c>"]],
        ]
        let format = ChatFormat(details: details, formatter: "llama-jinja", prompt: [])
        #expect(ToolGrammar.canRequireCalls(syntax, format: format) == canRequire)
    }

    @Test("a schema that no grammar can express leaves the arguments open")
    func inexpressible() throws {
        var odd = Self.now
        odd.parameters = ["type": "object", "not": ["required": ["x"]]]
        let grammar = try #require(try Self.grammar(.plain, .required, tools: [odd]))
        #expect(
            try NativeGrammar.matches(
                #"{"tool_calls":[{"name":"now","arguments":{"any":[1]}}]}"#, grammar.text))
    }

    @Test("the template's own grammar begins where its openers are")
    func native() throws {
        let rules = """
            root ::= tool-call | tool-calls
            tool-call ::= "<c>"
            tool-calls ::= (tool-call? space)+
            space ::= " "?

            """
        let details: LLMJSONValue = [
            "grammar": .string(rules), "grammar_lazy": true, "triggers": [["type": "word", "value": "<c>"]],
        ]
        let syntax = ToolCallSyntax(.hermes, template: "")
        let waiting = try #require(try Self.grammar(syntax, .auto, details: details))
        #expect(waiting.start == .atCall)
        #expect(waiting.lead == .opener(["<c>"]))
        #expect(try NativeGrammar.matches("<c> <c>", waiting.text))
        #expect(try !NativeGrammar.matches("", waiting.text), "a call must not be left out")
        #expect(try #require(try Self.grammar(syntax, .required, details: details)).start == .eager)
    }

    @Test("a grammar for whole replies begins behind the prompt")
    func whole() throws {
        let details: LLMJSONValue = [
            "grammar": "root ::= \"<a>\" \"x\"", "grammar_lazy": false, "generation_prompt": "<a>",
        ]
        let grammar = try #require(
            try Self.grammar(ToolCallSyntax(.harmony, template: ""), .required, details: details))
        #expect(grammar.start == .behindPrompt("<a>"))
    }

    @Test("TL-8: what cannot be enforced is refused when it is required, and else only checked")
    func unenforceable() throws {
        let syntax = ToolCallSyntax(.mistral, template: "")
        #expect(try Self.grammar(syntax, .auto) == nil)
        #expect(throws: LLMToolError.self) { try Self.grammar(syntax, .required) }
        let patterns: LLMJSONValue = [
            "grammar": "root ::= \"x\"", "grammar_lazy": true, "triggers": [["type": "pattern", "value": "^x"]],
        ]
        #expect(try Self.grammar(syntax, .auto, details: patterns) == nil)
    }
}
