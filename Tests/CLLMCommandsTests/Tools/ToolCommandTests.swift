import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct ToolCommandTests {
    /// A call on the command line, and a value of its output.
    struct Call: Sendable, CustomTestStringConvertible {
        var id: String
        var tool: String
        var arguments: String
        var key: String
        var value: LLMJSONValue

        var testDescription: String { "\(id): \(tool) \(arguments)" }

        static func convert(_ id: String, _ value: String, _ from: String, _ to: String, _ result: Double) -> Call {
            let arguments = #"{"value":\#(value),"from_unit":"\#(from)","to_unit":"\#(to)"}"#
            return Call(
                id: id, tool: "convert_units", arguments: arguments, key: "converted_value", value: .double(result))
        }

        static func refuse(_ id: String, _ value: String, _ from: String, _ to: String) -> Call {
            let arguments = #"{"value":\#(value),"from_unit":"\#(from)","to_unit":"\#(to)"}"#
            return Call(id: id, tool: "convert_units", arguments: arguments, key: "ok", value: false)
        }

        static func calculate(_ id: String, _ operation: String, _ operands: String, _ result: String?) -> Call {
            let arguments = #"{"operation":"\#(operation)","operands":\#(operands)}"#
            return Call(
                id: id, tool: "calculate", arguments: arguments, key: result == nil ? "ok" : "result",
                value: result.map { .string($0) } ?? false)
        }
    }

    private static let calls: [Call] = [
        .convert("U02", "1", "mile", "foot", 5280), .convert("U02", "1", "mile", "km", 1.609344),
        .convert("U03", "1", "gal", "cup", 16), .convert("U03", "1", "cup", "fl oz", 8),
        .convert("U04", "16", "oz", "kg", 0.45359237), .convert("U04", "16", "ounces", "kg", 0.45359237),
        .convert("U04", "8", "fl oz", "mL", 236.5882365), .refuse("U04", "8", "oz", "mL"),
        .convert("U05", "-10", "C", "F", 14), .convert("U05", "-40", "F", "C", -40),
        .convert("U05", "100", "C", "F", 212), .convert("U05", "32", "F", "C", 0), .refuse("U05", "-300", "C", "K"),
        .convert("U06", "1", "t", "kg", 1000), .convert("U06", "1", "tonne", "kg", 1000),
        .refuse("U06", "1", "ton", "kg"),
        .convert("U07", "212", "°F", "c", 100), .convert("U07", "212", "degF", "C", 100),
        .convert("U07", "212", "Fahrenheit", "celsius", 100), .convert("U07", "1", " KM ", "m", 1000),
        .convert("U07", "1", "mi.", "feet", 5280),
        .calculate("U08", "power", "[9,387420489]", nil), .calculate("U08", "power", "[10,400]", nil),
        .calculate("U08", "power", "[0,-1]", nil), .calculate("U08", "power", "[-8,0.333]", nil),
        .calculate("U08", "power", "[0,0]", "1"),
        .calculate("U10", "add", #"["2*/3"]"#, nil), .calculate("U10", "add", #"["("]"#, nil),
        .calculate("U10", "add", #"[""]"#, nil), .calculate("U10", "add", #"["0x10"]"#, nil),
        .calculate("U10", "add", #"["nan"]"#, nil), .calculate("BT-2", "add", "[0.1,0.2]", "0.3"),
    ]

    @Test("a tool's output is one line of JSON, and the exit code is 0 whatever it says", arguments: calls)
    func outputs(call: Call) async throws {
        let session = CommandSession()
        #expect(await session.run("tool", call.tool, call.arguments) == 0)
        #expect(session.errors.text.isEmpty)
        #expect(session.output.lines.count == 1 && session.output.text.hasSuffix("}\n"))
        let output = try session.json()
        if case .double(let number) = call.value {
            #expect(output.value(forKey: call.key)?.doubleValue == number)
        } else {
            #expect(output.value(forKey: call.key) == call.value)
        }
        if output.value(forKey: "ok") == false { #expect(Self.code(output) == "invalid_arguments") }
    }

    @Test(
        "TL-9: an object may be written as text that holds one, and what is missing is an empty object",
        arguments: [
            (#"{"operation":"add","operands":[1,2]}"#, true),
            (#" {"operation":"add","operands":[1,2]} "#, true),
            (#""{\"operation\":\"add\",\"operands\":[1,2]}""#, true),
            (#""\"{}\"""#, false), ("null", false), (#""""#, false), ("", false), (" \n", false), ("{}", false),
            (#"" ""#, false),
        ])
    func shapes(arguments: String, isCall: Bool) async throws {
        let session = CommandSession()
        #expect(await session.run("tool", "calculate", arguments) == 0)
        let output = try session.json()
        #expect(output.value(forKey: "ok") == .bool(isCall))
        if isCall { #expect(output.value(forKey: "result") == "3") }
    }

    @Test("TL-9: an empty object is told by the tool itself", arguments: ["null", #""""#, "", "{}"])
    func missing(arguments: String) async throws {
        let session = CommandSession()
        #expect(await session.run("tool", "calculate", arguments) == 0)
        #expect(Self.message(try session.json())?.contains("operation is missing") == true)
    }

    @Test(
        "TL-9: what is no object is refused as a call of a model would be",
        arguments: [
            "[1,2]", "17", "true", #""add 1 and 2""#, #""[1]""#, "{", "{\"operation\":}", "{} {}", "operation=add",
            "{'a':1}",
            "NaN", #""{\"a\":""#, String(repeating: "[", count: 5000),
        ])
    func noObject(arguments: String) async throws {
        for tool in BundledTool.allCases {
            let session = CommandSession()
            #expect(await session.run("tool", tool.rawValue, arguments) == 0)
            #expect(session.errors.text.isEmpty)
            #expect(Self.code(try session.json()) == "invalid_arguments")
            #expect(Self.message(try session.json())?.contains(tool.rawValue) == true)
        }
    }

    @Test("arguments come from standard input when they are '-' or not there", arguments: [["-"], []])
    func standardInput(arguments: [String]) async throws {
        var session = CommandSession()
        session.input = MemoryReader(#"{"operation":"multiply","operands":[6,7]}"# + "\n")
        #expect(await session.run(["tool", "calculate"] + arguments) == 0)
        #expect(session.output.text == #"{"ok":true,"operation":"multiply","result":"42","exact":true}"# + "\n")
    }

    @Test("bytes that are no text are arguments that are no JSON")
    func noText() async throws {
        var session = CommandSession()
        session.input = MemoryReader(bytes: [0x7B, 0xFF, 0x7D])
        #expect(await session.run("tool", "calculate") == 0)
        #expect(Self.code(try session.json()) == "invalid_arguments")
    }

    @Test("an unknown name is wrong usage, and the tools are listed")
    func unknown() async {
        let session = CommandSession()
        #expect(await session.run("tool", "calculat", "{}") == 2)
        #expect(
            session.errors.text == "cllm: unknown tool 'calculat', did you mean 'calculate'? (there are load_webpage, "
                + "calculate, convert_units); see 'cllm tool --help'\n")
    }

    @Test("names are those that models are told", arguments: BundledTool.allCases)
    func names(tool: BundledTool) {
        let fetcher = FakeWebpageFetcher(html: "")
        #expect(tool.tool(allowsPrivateHosts: false, fetcher: fetcher).definition.name == tool.rawValue)
    }

    private static func code(_ output: LLMJSONValue) -> String? {
        output.value(forKey: "error")?.string(forKey: "code")
    }

    private static func message(_ output: LLMJSONValue) -> String? {
        output.value(forKey: "error")?.string(forKey: "message")
    }
}
