import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Foundation
import Testing

/// Set the variable to 100000 for the long run, which prints the slowest call.
@Suite("Random arguments of the local tools")
struct RandomArgumentsTests {
    private static let requested = ProcessInfo.processInfo.environment["CARBOCATION_FUZZ_TOOL_ARGUMENTS"].flatMap(
        Int.init)

    @Test("BT-2: calculate always answers, in the declared shape, with finite numbers")
    func calculate() throws {
        let answered = try run(keys: ["operation", "operands"], LLMCalculateTool.evaluate) { output in
            #expect(output.keys == ["ok", "operation", "result", "exact"])
            let result = try #require(output["result"]?.stringValue.flatMap { ExactDecimal($0) })
            #expect(result.scientificExponent.magnitude <= 127)
            #expect(result.significand.digitCount <= 38)
            #expect(output["exact"]?.boolValue != nil)
        }
        #expect(answered > 100)
    }

    @Test("BT-3: convert_units always answers, in the declared shape, with finite numbers")
    func convert() throws {
        let keys = ["category", "value", "from_unit", "to_unit"]
        let answered = try run(keys: keys, LLMConvertUnitsTool.convert) { output in
            #expect(
                output.keys == ["ok"] + keys + [
                    "from_unit_canonical", "to_unit_canonical", "converted_value", "converted_value_text",
                ])
            let number = try #require(output["converted_value"])
            if case .string = number { Issue.record("The converted value is a text.") }
            let value = try #require(number.doubleValue)
            let text = try #require(output["converted_value_text"]?.doubleValue)
            #expect(value.isFinite && abs(value - text) <= 1e-11 * abs(value))
        }
        #expect(answered > 100)
    }

    /// Runs a tool on random arguments, checks failures, has results checked, and gives the number of results.
    private func run(
        keys: [String], _ tool: (LLMJSONValue) -> LLMJSONValue, check: (LLMJSONObject) throws -> Void
    ) throws -> Int {
        var random = RandomArguments(seed: 2_026)
        var answered = 0
        var slowest = (time: Duration.zero, arguments: "")
        for _ in 0..<(Self.requested ?? 2_000) {
            let arguments = random.arguments(keys: keys)
            var output = LLMJSONValue.null
            // On a busy machine a call may have to wait, but not every time.
            var time = ContinuousClock().measure { output = tool(arguments) }
            for _ in 0..<5 where time > slowest.time {
                time = min(time, ContinuousClock().measure { output = tool(arguments) })
            }
            if time > slowest.time { slowest = (time, arguments.jsonString()) }
            let object = try #require(LLMJSONValue(jsonString: output.jsonString()).objectValue)
            #expect(.object(object) == output)
            if object["ok"] == true {
                answered += 1
                try check(object)
            } else {
                try checkFailure(object)
            }
        }
        if Self.requested != nil {
            #expect(slowest.time < .milliseconds(100), "\(slowest.arguments)")
            print("\(answered) results; the slowest call took \(slowest.time): \(slowest.arguments.prefix(200))")
        }
        return answered
    }

    private func checkFailure(_ output: LLMJSONObject) throws {
        #expect(output.keys == ["ok", "error"])
        #expect(output["ok"] == false)
        let error = try #require(output["error"]?.objectValue)
        #expect(error.keys == ["code", "message"])
        #expect(error["code"] == "invalid_arguments")
        #expect(error["message"]?.stringValue.map { (10..<1_500).contains($0.utf8.count) } == true)
    }
}
