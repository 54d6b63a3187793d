import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Testing

@Suite("Standard tools")
struct LLMStandardToolsTests {
    static let tools = [LLMStandardTools.calculate(), LLMStandardTools.convertUnits()]
    static let allTools = tools + [LLMStandardTools.loadWebpage(fetcher: FixtureFetcher(html: ""))]

    @Test("BT-1: names and definitions", arguments: zip(tools, ["calculate", "convert_units"]))
    func definitions(tool: LLMTool, name: String) throws {
        #expect(tool.definition.name == name)
        #expect(tool.timeout == nil)
        try tool.definition.validate()
    }

    @Test("BT-1: all tools, in order")
    func initialTools() async throws {
        let fetcher = FixtureFetcher(html: String(repeating: "word ", count: 1000))
        let tools = LLMStandardTools.initialTools(
            webpageConfiguration: .init(maximumOutputCharacters: 1000), webpageFetcher: fetcher)
        #expect(tools.map(\.definition.name) == ["load_webpage", "calculate", "convert_units"])
        for tool in tools { try tool.definition.validate() }
        let output = try await tools[0].call(arguments: ["url": "https://example.com/"])
        #expect(output.pageText?.count == 1000)
        #expect(fetcher.requests.count == 1)
        #expect(LLMStandardTools.initialTools().count == 3)
    }

    @Test("BT-5: the tool loads a page")
    func loadWebpage() async throws {
        let tool = LLMStandardTools.loadWebpage(fetcher: FixtureFetcher(html: "<title>a</title>b"))
        #expect(tool.timeout == nil)
        #expect(try await tool.call(arguments: ["url": "https://example.com/"]).string(forKey: "title") == "a")
        let schema = tool.definition.parameters
        #expect(LLMJSONSchemaValidator.violations(of: ["url": "https://a/"], against: schema).isEmpty)
        #expect(!LLMJSONSchemaValidator.violations(of: [:], against: schema).isEmpty)
        #expect(!LLMJSONSchemaValidator.violations(of: ["url": 1], against: schema).isEmpty)
    }

    @Test("BT-2: the tool calculates")
    func calculate() async throws {
        let arguments: LLMJSONValue = ["operation": "add", "operands": [17, 25]]
        #expect(
            try await LLMStandardTools.calculate().call(arguments: arguments)
                == ["ok": true, "operation": "add", "result": "42", "exact": true])
    }

    @Test("BT-3: the tool converts")
    func convert() async throws {
        let arguments: LLMJSONValue = ["value": 12, "from_unit": "miles", "to_unit": "kilometers"]
        let output = try await LLMStandardTools.convertUnits().call(arguments: arguments)
        #expect(output.string(forKey: "converted_value_text") == "19.312128")
    }

    @Test("SC-6: a cancelled task gets no result", arguments: allTools)
    func cancellation(tool: LLMTool) async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await tool.call(arguments: [:])
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(
        "TL-9: the schemas admit what the tools accept",
        arguments: [
            (0, ["operation": "power", "operands": [2, "0.5"]], true),
            (0, ["operation": "add", "operands": [1]], true),
            (0, ["operation": "modulo", "operands": [1]], false), (0, ["operation": "add", "operands": []], false),
            (0, ["operation": "add", "operands": [true]], false), (0, ["operation": "add"], false),
            (0, ["operands": [1]], false), (0, ["operation": "add", "operands": 1], false),
            (1, ["category": "length", "value": 1, "from_unit": "m", "to_unit": "ft"], true),
            (1, ["value": "1.5", "from_unit": "m", "to_unit": "ft"], true),
            (1, ["category": "currency", "value": 1, "from_unit": "m", "to_unit": "ft"], false),
            (1, ["value": 1, "from_unit": "m"], false), (1, ["value": true, "from_unit": "m", "to_unit": "ft"], false),
        ] as [(Int, LLMJSONValue, Bool)])
    func schemas(index: Int, arguments: LLMJSONValue, isValid: Bool) {
        let schema = Self.tools[index].definition.parameters
        #expect(LLMJSONSchemaValidator.violations(of: arguments, against: schema).isEmpty == isValid)
    }
}
