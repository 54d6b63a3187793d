import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Foundation
import Testing

@testable import CLLMCommands

@Suite struct DebugRenderCommandTests {
    private static let report = PromptReport(
        prompt: "<s>hi\u{0} é",
        segments: [
            PromptSegment(text: "<s>", isInput: false), PromptSegment(text: "hi\u{0} é", isInput: true),
        ],
        formatter: "llama-jinja", thinkingStart: "<think>", thinkingEnds: ["</think>"], grammar: "root ::= \"x\"",
        grammarLazy: true, triggers: [["type": "word", "value": "<tool>"]], stops: ["<|end|>"],
        startsInThinking: true)

    private let messages: TemporaryFile
    private let template: TemporaryFile

    init() throws {
        messages = try TemporaryFile(#"[{"role":"user","content":"hi"}]"#)
        template = try TemporaryFile("{{ messages }}")
    }

    private var base: [String] { ["debug", "render", "--template", template.path, "--messages", messages.path] }

    @Test("prints the prompt exactly, without a newline")
    func text() async {
        let session = CommandSession(runtime: FakeRuntime(report: Self.report))
        #expect(await session.run(base) == 0)
        #expect(session.output.text == "<s>hi\u{0} é")
        #expect(session.errors.text.isEmpty)
    }

    @Test("--json has every field, and null for what there is not")
    func json() async throws {
        let session = CommandSession(runtime: FakeRuntime(report: Self.report))
        #expect(await session.run(base + ["--json"]) == 0)
        #expect(
            try session.json() == [
                "prompt": "<s>hi\u{0} é",
                "segments": [
                    ["text": "<s>", "userInput": false], ["text": "hi\u{0} é", "userInput": true],
                ],
                "thinkingStart": "<think>", "thinkingEnds": ["</think>"],
                "triggers": [["type": "word", "value": "<tool>"]], "stops": ["<|end|>"], "startsInThinking": true,
                "formatter": "llama-jinja", "grammar": "root ::= \"x\"", "grammarLazy": true,
            ])
        #expect(try session.json().objectValue?.keys.isSorted == true)
        let plain = CommandSession()
        #expect(await plain.run(base + ["--json"]) == 0)
        #expect(try plain.json().value(forKey: "thinkingStart") == .null)
        #expect(try plain.json().value(forKey: "startsInThinking") == false)
    }

    @Test("the options reach the renderer")
    func options() async throws {
        let tools = try TemporaryFile(#"[{"type":"function","function":{"name":"f"}}]"#)
        let session = CommandSession()
        #expect(await session.run(base + ["--tools", tools.path, "--think", "--no-generation-prompt"]) == 0)
        #expect(await session.run(base) == 0)
        let log = session.runtime.log.renderings
        #expect(log.map(\.source) == [.text("{{ messages }}"), .text("{{ messages }}")])
        #expect(log.map(\.request.enableThinking) == [true, false])
        #expect(log.map(\.request.addsGenerationPrompt) == [false, true])
        #expect(log.map(\.request.tools) == [[["type": "function", "function": ["name": "f"]]], nil])
        #expect(log.first?.request.messages == [["role": "user", "content": "hi"]])
    }

    @Test("a model's own template is used with --model, or CLLM_MODEL without both")
    func model() async throws {
        let model = try TemporaryFile.model()
        let url = URL(fileURLWithPath: model.path)
        var session = CommandSession()
        #expect(await session.run("debug", "render", "--model", model.path, "--messages", messages.path) == 0)
        session.variables = ["CLLM_MODEL": model.path]
        #expect(await session.run("debug", "render", "--messages", messages.path) == 0)
        #expect(session.runtime.log.renderings.map(\.source) == [.model(url), .model(url)])
    }

    @Test(
        "files that are not what they should be are failures",
        arguments: [
            ("--messages", "{}"), ("--messages", "nonsense"), ("--tools", "7"), ("--tools", "[1]"),
        ])
    func mistakes(option: String, text: String) async throws {
        let file = try TemporaryFile(text)
        let session = CommandSession()
        #expect(await session.run(base + [option, file.path]) == 1)
        #expect(session.errors.text.hasPrefix("cllm: '\(file.path)'"))
        #expect(session.output.text.isEmpty)
    }
}

extension [String] {
    fileprivate var isSorted: Bool { self == sorted() }
}
