import CarbocationLocalLLM
import Testing

@Suite("Tools")
struct LLMToolTests {
    private struct Refusal: Error {}

    private let definition = LLMToolDefinition(name: "echo", description: "Gives back what it gets.")

    @Test(
        "TL-9: what runs gets the arguments as they are",
        arguments: [["a": [1, nil]], "text", nil, [], 1.5] as [LLMJSONValue])
    func arguments(value: LLMJSONValue) async throws {
        let tool = LLMTool(definition: definition) { ["got": $0] }
        #expect(try await tool.call(arguments: value) == ["got": value])
    }

    @Test("what runs can throw")
    func errors() async {
        let tool = LLMTool(definition: definition) { _ in throw Refusal() }
        await #expect(throws: Refusal.self) { try await tool.call(arguments: [:]) }
    }

    @Test("the definition and the limit of time are kept")
    func properties() {
        #expect(LLMTool(definition: definition) { $0 }.definition == definition)
        #expect(LLMTool(definition: definition) { $0 }.timeout == nil)
        #expect(LLMTool(definition: definition, timeout: .seconds(3)) { $0 }.timeout == .seconds(3))
    }
}
