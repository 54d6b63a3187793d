import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Foundation
import Testing

/// Set the variable to 100000 for the long run, which prints the slowest call.
@Suite("Random arguments of the tools")
struct RandomArgumentsTests {
    private static let requested = ProcessInfo.processInfo.environment["CARBOCATION_FUZZ_TOOL_ARGUMENTS"].flatMap(
        Int.init)

    @Test("BT-2: calculate always answers, in the declared shape, with finite numbers")
    func calculate() async throws {
        let answered = try await run(keys: ["operation", "operands"], LLMCalculateTool.evaluate) { output in
            #expect(output.keys == ["ok", "operation", "result", "exact"])
            let result = try #require(output["result"]?.stringValue.flatMap { ExactDecimal($0) })
            #expect(result.scientificExponent.magnitude <= 127)
            #expect(result.significand.digitCount <= 38)
            #expect(output["exact"]?.boolValue != nil)
        }
        #expect(answered > 100)
    }

    @Test("BT-3: convert_units always answers, in the declared shape, with finite numbers")
    func convert() async throws {
        let keys = ["category", "value", "from_unit", "to_unit"]
        let answered = try await run(keys: keys, LLMConvertUnitsTool.convert) { output in
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

    @Test("BT-5: load_webpage always answers, in the declared shape")
    func loadWebpage() async throws {
        let fetcher = FixtureFetcher(html: "<title>Title</title><p>Text")
        let answered = try await run(keys: ["url"], codes: Self.addressCodes) {
            try await LLMLoadWebpageTool.load(arguments: $0, fetcher: fetcher)
        } check: { output in
            #expect(
                output.keys == [
                    "ok", "url", "final_url", "status_code", "mime_type", "title", "text", "truncated", "bytes_read",
                ])
            #expect(output["text"] == "Text")
            let address = try #require(output["url"]?.stringValue)
            #expect(address.hasPrefix("http://") || address.hasPrefix("https://"))
            #expect(address.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        }
        #expect(answered > 100)
        #expect(fetcher.requests.count >= answered)
    }

    private static let addressCodes = [
        "invalid_arguments", "invalid_url", "unsupported_scheme", "blocked_port", "blocked_address",
    ]

    /// Runs a tool on random arguments, checks failures, has results checked, and gives the number of results.
    private func run(
        keys: [String], codes: [String] = ["invalid_arguments"], _ tool: (LLMJSONValue) async throws -> LLMJSONValue,
        check: (LLMJSONObject) throws -> Void
    ) async throws -> Int {
        var random = RandomArguments(seed: 2_026)
        var answered = 0
        var slowest = (time: Duration.zero, arguments: "")
        for _ in 0..<(Self.requested ?? 2_000) {
            let arguments = random.arguments(keys: keys)
            var output = LLMJSONValue.null
            // On a busy machine a call may have to wait, but not every time.
            var time = try await ContinuousClock().measure { output = try await tool(arguments) }
            for _ in 0..<5 where time > slowest.time {
                time = min(time, try await ContinuousClock().measure { output = try await tool(arguments) })
            }
            if time > slowest.time { slowest = (time, arguments.jsonString()) }
            let object = try #require(LLMJSONValue(jsonString: output.jsonString()).objectValue)
            #expect(.object(object) == output)
            if object["ok"] == true {
                answered += 1
                try check(object)
            } else {
                try checkFailure(object, codes)
            }
        }
        if Self.requested != nil {
            #expect(slowest.time < .milliseconds(100), "\(slowest.arguments)")
            print("\(answered) results; the slowest call took \(slowest.time): \(slowest.arguments.prefix(200))")
        }
        return answered
    }

    private func checkFailure(_ output: LLMJSONObject, _ codes: [String]) throws {
        #expect(output.keys == ["ok", "error"])
        #expect(output["ok"] == false)
        let error = try #require(output["error"]?.objectValue)
        #expect(error.keys == ["code", "message"])
        #expect(error["code"]?.stringValue.map(codes.contains) == true)
        #expect(error["message"]?.stringValue.map { (10..<1_500).contains($0.utf8.count) } == true)
    }
}
