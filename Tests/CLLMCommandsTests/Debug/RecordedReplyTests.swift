import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Foundation
import Testing

@testable import CLLMCommands

/// Outputs in the form in which the chat templates of llama.cpp write a turn, and what they are to be read as.
///
/// Each was rendered with the template from a turn whose parts are known; those that are cut off are beginnings of such.
struct RecordedReply: Sendable {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    static let all: [RecordedReply] = {
        let file = root.appending(path: "Tests/Fixtures/recorded-replies.jsonl")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { try? RecordedReply(LLMJSONValue(jsonString: String($0))) }
    }()
    static let tools = """
        [{"type": "function", "function": {"name": "note", "description": "Keeps a note.", "parameters": {
          "type": "object", "properties": {"text": {"type": "string"}, "pages": {"type": "integer"}},
          "required": ["text"]}}},
         {"type": "function", "function": {"name": "find", "description": "Finds notes.", "parameters": {
          "type": "object", "properties": {"words": {"type": "array", "items": {"type": "string"}}},
          "required": ["words"]}}}]
        """

    let template: String
    let values: LLMJSONValue

    init(_ values: LLMJSONValue) {
        template = values.value(forKey: "template")?.stringValue ?? ""
        self.values = values
    }

    subscript(_ key: String) -> LLMJSONValue? { values.value(forKey: key) }

    var templateFile: URL {
        Self.root.appending(path: "Vendor/llama-artifacts/current/share/templates/\(template).jinja")
    }
}

@Suite("Recorded replies", .timeLimit(.minutes(10)))
struct RecordedReplyTests {
    @Test("there are five or more of each of twenty or more templates")
    func enough() {
        let counts = Dictionary(grouping: RecordedReply.all, by: \.template).mapValues(\.count)
        #expect(counts.values.filter { $0 >= 5 }.count >= 20)
    }

    @Test(
        "debug parse reads them", .enabled("needs the templates of a source artifact") { isReady },
        arguments: Set(RecordedReply.all.map(\.template)).sorted())
    func read(template: String) async throws {
        let tools = try TemporaryFile(RecordedReply.tools)
        for reply in RecordedReply.all where reply.template == template {
            let output = try TemporaryFile(try #require(reply["output"]?.stringValue))
            let session = CommandSession()
            let arguments = [
                "debug", "parse", "--json", "--template", reply.templateFile.path, "--tools", tools.path,
                "--input", output.path, "--chunk", "3",
            ]
            #expect(await session.run(arguments, runtime: LlamaModelRuntime()) == 0)
            let read = try session.json()
            let name: Comment = "\(reply["case"]?.stringValue ?? "")"
            #expect(read.value(forKey: "thinkingText") == reply["thinking"], name)
            #expect(read.value(forKey: "finalText") == reply["answer"], name)
            #expect(read.value(forKey: "incompleteToolCall") == reply["incomplete"], name)
            #expect(read.value(forKey: "rejected") == [], name)
            let calls = read.value(forKey: "toolCalls")?.arrayValue?.map { call -> LLMJSONValue in
                ["name": call.value(forKey: "name") ?? .null, "arguments": call.value(forKey: "arguments") ?? .null]
            }
            #expect(calls == reply["calls"]?.arrayValue, name)
        }
    }

    private static var isReady: Bool {
        let files = RecordedReply.all.map(\.templateFile.path)
        return LlamaRuntimeInfo.isAvailable && files.allSatisfy(FileManager.default.fileExists)
    }
}
