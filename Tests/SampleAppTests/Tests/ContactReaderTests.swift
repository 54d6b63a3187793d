import CarbocationLocalLLM
import Testing

@Suite("Sample app: values", .timeLimit(.minutes(10)))
struct ContactReaderTests {
    private static let reply = #"Here it is: {"name": "Bob", "age": 42} and no more."#

    @Test("JSON is asked for in the way that the model supports", arguments: [true, false])
    func grammar(isSupported: Bool) async throws {
        let engine = ScriptedLLMEngine(script: [[.text(Self.reply)]])
        let contact = try await ContactReader(engine: engine).contact(in: "Bob is 42.", supportsGrammar: isSupported)
        #expect(contact == Contact(name: "Bob", age: 42))
        let options = try #require(await engine.receivedRequests.first?.options)
        #expect((options.grammar != nil) == isSupported && options.stopAtBalancedJSON == !isSupported)
    }

    @Test("a value that breaks the schema is an error")
    func typed() async throws {
        let engine = ScriptedLLMEngine(script: [
            [.text(#"{"name": "Bob", "age": 42}"#)], [.text(#"{"name": "Bob", "age": -1}"#)],
        ])
        let reader = ContactReader(engine: engine)
        #expect(try await reader.contact(in: "Bob is 42.") == Contact(name: "Bob", age: 42))
        await #expect(throws: LLMEngineError.self) { try await reader.contact(in: "Bob is -1.") }
    }
}
