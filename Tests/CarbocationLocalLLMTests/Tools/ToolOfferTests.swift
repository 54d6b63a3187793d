import Testing

@testable import CarbocationLocalLLM

@Suite("ToolOffer")
struct ToolOfferTests {
    private static let add = LLMToolDefinition(name: "add", description: "Adds.")
    private static let now = LLMToolDefinition(name: "now", description: "The time.")

    @Test("TL-2: nothing is offered without tools or with the choice of none")
    func nothing() throws {
        #expect(try ToolOffer([], choice: .auto) == nil)
        #expect(try ToolOffer([], choice: .none) == nil)
        #expect(try ToolOffer([Self.add], choice: .none) == nil)
    }

    @Test("TL-8: choices narrow the tools and require a call")
    func choices() throws {
        let all = [Self.add, Self.now]
        let auto = try #require(try ToolOffer(all, choice: .auto))
        #expect(auto.tools == all)
        #expect(!auto.isCallRequired)
        let required = try #require(try ToolOffer(all, choice: .required))
        #expect(required.tools == all)
        #expect(required.isCallRequired)
        #expect(required.withoutRequirement == auto)
        let named = try #require(try ToolOffer(all, choice: .named("now")))
        #expect(named.tools == [Self.now])
        #expect(named.isCallRequired)
    }

    @Test("TL-1: what contradicts itself is refused")
    func refused() {
        #expect(throws: LLMToolError.duplicateToolName("add")) { try ToolOffer([Self.add, Self.add], choice: .auto) }
        #expect(throws: LLMToolError.self) { try ToolOffer([], choice: .required) }
        #expect(throws: LLMToolError.self) { try ToolOffer([], choice: .named("add")) }
        #expect(throws: LLMToolError.self) { try ToolOffer([Self.add], choice: .named("now")) }
        let blank = LLMToolDefinition(name: "x", description: " ")
        #expect(throws: LLMToolError.self) { try ToolOffer([blank], choice: .none) }
    }
}
