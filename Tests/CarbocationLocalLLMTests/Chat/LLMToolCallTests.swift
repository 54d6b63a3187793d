import CarbocationLocalLLM
import Foundation
import Testing

@Suite("LLMToolCall and LLMToolOutput")
struct LLMToolCallTests {
    @Test("TL-3: a call is stored with its execution id, and without `id`")
    func encoding() throws {
        let call = LLMToolCall(
            executionID: "call_1", rawID: "raw", name: "add", arguments: ["a": 1], triggerPhase: .thinking)
        #expect(call.id == "call_1")
        let data = try JSONEncoder().encode(call)
        #expect(
            try LLMJSONValue(jsonData: data) == [
                "executionID": "call_1", "rawID": "raw", "name": "add", "arguments": ["a": 1],
                "triggerPhase": "thinking",
            ])
        #expect(try JSONDecoder().decode(LLMToolCall.self, from: data) == call)
    }

    @Test(
        "TL-3: a lone `id` stands for the execution id",
        arguments: [
            (#"{"id":"call_1","name":"add","arguments":{}}"#, "call_1", [:]),
            (#"{"id":"x","executionID":"call_2","name":"add","arguments":{"a":1}}"#, "call_2", ["a": 1]),
            (#"{"id":"call_3","name":"add"}"#, "call_3", [:]),
            (#"{"id":"call_4","name":"add","arguments":null}"#, "call_4", nil),
        ] as [(String, String, LLMJSONValue)])
    func decoding(json: String, id: String, arguments: LLMJSONValue) throws {
        let call = try JSONDecoder().decode(LLMToolCall.self, from: Data(json.utf8))
        #expect(call == LLMToolCall(executionID: id, name: "add", arguments: arguments))
    }

    @Test(
        "TL-3: a call needs an id and a name",
        arguments: [#"{"name":"add"}"#, #"{"id":"x"}"#, #"{"executionID":null}"#])
    func decodingErrors(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(LLMToolCall.self, from: Data(json.utf8)) }
    }

    @Test("an output belongs to its call")
    func output() throws {
        let output = LLMToolOutput(callID: "call_1", name: "add", content: ["sum": 3], isError: true)
        #expect(output.id == "call_1")
        let data = try JSONEncoder().encode(output)
        #expect(try JSONDecoder().decode(LLMToolOutput.self, from: data) == output)
        let json = Data(#"{"callID":"call_1","name":"add","content":null}"#.utf8)
        let decoded = try JSONDecoder().decode(LLMToolOutput.self, from: json)
        #expect(decoded == LLMToolOutput(callID: "call_1", name: "add", content: nil))
    }
}
