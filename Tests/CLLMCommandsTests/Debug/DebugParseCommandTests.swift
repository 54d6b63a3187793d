import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct DebugParseCommandTests {
    private static let tools = """
        [{"type": "function", "function": {"name": "add", "description": "Adds.", "parameters": {"type": "object",
          "properties": {"a": {"type": "number"}, "b": {"type": "number"}}, "required": ["a"]}}}]
        """

    /// What `output` is read as; the same for every chunk size.
    private func parse(_ output: String, _ options: [String] = [], tools: Bool = false) async throws -> LLMJSONValue {
        let file = try TemporaryFile(output)
        let declared = try TemporaryFile(Self.tools)
        var readings: [LLMJSONValue] = []
        for chunk in [0, 1, 2, 3, 7] {
            let session = CommandSession()
            var arguments = ["debug", "parse", "--json", "--input", file.path, "--chunk", "\(chunk)"] + options
            if tools { arguments += ["--tools", declared.path] }
            #expect(await session.run(arguments) == 0)
            readings.append(try session.json())
        }
        #expect(Set(readings).count == 1)
        return readings[0]
    }

    @Test("thinking between the given markers, and the answer after it")
    func pairs() async throws {
        let json = try await parse("<think>a</think>\n\n4", ["--pairs", "<think>,</think>"])
        #expect(json.value(forKey: "thinkingText") == "a")
        #expect(json.value(forKey: "finalText") == "4")
        #expect(
            json.value(forKey: "segments") == [["phase": "thinking", "text": "a"], ["phase": "final", "text": "4"]])
        #expect(json.value(forKey: "stopReason") == "complete")
        let types = json.value(forKey: "events")?.arrayValue?.compactMap { $0.value(forKey: "type")?.stringValue }
        #expect(
            types == [
                "requestSent", "phaseChanged", "contentDelta", "phaseChanged", "contentDelta", "generationStats",
                "done",
            ])
    }

    @Test("--stop ends the output")
    func stops() async throws {
        let json = try await parse("one END two", ["--stop", "END"])
        #expect(json.value(forKey: "finalText") == "one ")
        #expect(json.value(forKey: "stopReason") == "stop-sequence")
    }

    @Test("TF-2: without a template calls are read in the plain form")
    func plainCalls() async throws {
        let output = #"Sure. {"tool_calls":[{"id":"x1","name":"add","arguments":{"a":1}}]}"#
        let json = try await parse(output, tools: true)
        #expect(json.value(forKey: "finalText") == "Sure. ")
        #expect(
            json.value(forKey: "toolCalls") == [
                ["id": "x1", "rawID": "x1", "name": "add", "arguments": ["a": 1], "triggerPhase": "final"]
            ])
        #expect(json.value(forKey: "stopReason") == "tool-call-complete")
        #expect(json.value(forKey: "incompleteToolCall") == .null)
    }

    @Test("rejected calls have their code and message")
    func rejected() async throws {
        let json = try await parse(#"{"tool_calls":[{"name":"add","arguments":{"b":"x"}}]}"#, tools: true)
        #expect(json.value(forKey: "toolCalls") == [])
        let rejected = try #require(json.value(forKey: "rejected")?.arrayValue?.first)
        #expect(rejected.value(forKey: "code") == "invalid_arguments")
        #expect(rejected.value(forKey: "message")?.stringValue?.contains("a") == true)
    }

    @Test("the plain report is the answer and a line for each call")
    func text() async throws {
        var session = CommandSession()
        session.input = MemoryReader(#"Sure. {"tool_calls":[{"name":"add","arguments":{"a":1}}]}"#)
        let declared = try TemporaryFile(Self.tools)
        #expect(await session.run("debug", "parse", "--tools", declared.path) == 0)
        #expect(session.output.text == "Sure. \nadd {\"a\":1}\n")
    }

    @Test("wrong arguments are told", arguments: [["--pairs", "<think>"], ["--pairs", "a,"], ["--chunk", "-1"]])
    func usage(arguments: [String]) async {
        #expect(await CommandSession().run(["debug", "parse"] + arguments) == 2)
    }

    @Test("a tool without a name is told")
    func namelessTool() async throws {
        let session = CommandSession()
        let file = try TemporaryFile("[{\"function\": {}}]")
        #expect(await session.run("debug", "parse", "--tools", file.path) == 1)
        #expect(session.errors.text.contains("tool 0 has no name"))
    }
}

/// With llama.cpp's real template engine, which needs no weights.
@Suite(.enabled("needs the llama.cpp artifact") { LlamaRuntimeInfo.isAvailable })
struct DebugParseTemplateTests {
    private static let template = """
        {%- for message in messages -%}<|im_start|>{{ message.role }}
        {{ message.content }}<|im_end|>
        {% endfor -%}
        <|im_start|>assistant
        {% if enable_thinking %}<think>
        {% else %}<think>

        </think>

        {% endif -%}
        """

    @Test(
        "K02, K03: the rendered prompt says where the output begins",
        arguments: [(["--think"], "plan", ""), ([], "", "plan")])
    func start(options: [String], thinking: String, answer: String) async throws {
        let template = try TemporaryFile(Self.template)
        var session = CommandSession()
        session.input = MemoryReader("plan<|im_end|>\n")
        let arguments = ["debug", "parse", "--json", "--template", template.path] + options
        #expect(await session.run(arguments, runtime: LlamaModelRuntime()) == 0)
        let json = try session.json()
        #expect(json.value(forKey: "thinkingText") == .string(thinking))
        #expect(json.value(forKey: "finalText") == .string(answer))
        #expect(json.value(forKey: "stopReason") == "complete")
    }
}
