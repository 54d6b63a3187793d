import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Foundation
import Testing

@Suite("The tool calculate")
struct LLMCalculateToolTests {
    /// A calculation and its result.
    struct Sample: Sendable, CustomTestStringConvertible {
        let operation: String
        let operands: [LLMJSONValue]
        let result: String
        let isExact: Bool

        init(_ operation: String, _ operands: [LLMJSONValue], _ result: String, isExact: Bool = true) {
            self.operation = operation
            self.operands = operands
            self.result = result
            self.isExact = isExact
        }

        var testDescription: String { "\(operation) \(LLMJSONValue.array(operands).jsonString().prefix(60))" }
    }

    private func evaluate(_ operation: String, _ operands: [LLMJSONValue]) -> LLMJSONValue {
        LLMCalculateTool.evaluate(arguments: ["operation": .string(operation), "operands": .array(operands)])
    }

    private func message(_ output: LLMJSONValue) throws -> String {
        #expect(output.objectValue?.keys == ["ok", "error"])
        #expect(output.value(forKey: "ok") == false)
        #expect(output.value(forKey: "error")?.objectValue?.keys == ["code", "message"])
        #expect(output.value(forKey: "error")?.string(forKey: "code") == "invalid_arguments")
        return try #require(output.value(forKey: "error")?.string(forKey: "message"))
    }

    static let samples: [Sample] = [
        Sample("add", [0.1, 0.2], "0.3"), Sample("add", [9_007_199_254_740_993, "1"], "9007199254740994"),
        Sample("add", [5], "5"), Sample("add", [1, -1], "0"), Sample("add", [-0.0], "0"),
        Sample("add", ["1e3", 1E-3], "1000.001"),
        Sample("add", [.int(.max), .int(.max)], "18446744073709551614"),
        Sample("add", [.int(.min), -1], "-9223372036854775809"),
        Sample("subtract", [10, 3, 2], "5"), Sample("subtract", [0.3, 0.1], "0.2"),
        Sample("subtract", ["1e100", "1e100"], "0"),
        Sample("multiply", [17.5, 23], "402.5"), Sample("multiply", [7], "7"),
        Sample("multiply", [-3, "-0.5", 2], "3"),
        Sample("multiply", [1e100, 1e100, 1e-100], "1" + String(repeating: "0", count: 100)),
        Sample(
            "multiply", ["12345678901234567891", "98765432109876543211"],
            "1219326311370217952348574912122374638000", isExact: false),
        Sample("divide", [10, 4], "2.5"), Sample("divide", [1, 8, 5], "0.025"), Sample("divide", [0, 3], "0"),
        Sample("divide", [1, 3], "0." + String(repeating: "3", count: 38), isExact: false),
        Sample("divide", [2, 3], "0." + String(repeating: "6", count: 37) + "7", isExact: false),
        Sample("divide", [-1, 3, 3], "-0." + String(repeating: "1", count: 38), isExact: false),
        Sample("power", [2, -2], "0.25"), Sample("power", [0, 0], "1"), Sample("power", [0, 5], "0"),
        Sample("power", [-2, 3], "-8"),
        Sample("power", [-2, 2.0], "4"), Sample("power", [2, "1e1"], "1024"), Sample("power", [1, -1_000], "1"),
        Sample("power", [10, 127], "1" + String(repeating: "0", count: 127)), Sample("power", [10, -127], "1e-127"),
        Sample("power", [2, 126], "85070591730234615865843651857942052864"),
        Sample("power", ["1.05", 10], "1.62889462677744140625"),
        Sample("power", [2, 127], "170141183460469231731687303715884105730", isExact: false),
        // Halfway between two numbers of 38 digits: to the even one.
        Sample("power", [5, 55], "277555756156289135105907917022705078120", isExact: false),
        Sample("add", ["1e38", 5], "1e38", isExact: false),
        Sample("add", ["1e38", 15], "100000000000000000000000000000000000020", isExact: false),
        Sample(
            "add", ["1e38", "5.00000000000000000000000000001"], "100000000000000000000000000000000000010",
            isExact: false),
        Sample("add", ["1e127", "1e-127"], "1e127", isExact: false),
        Sample("divide", [1, "1e127"], "1e-127"), Sample("multiply", ["9.99e127", 1], "9.99e127"),
    ]

    @Test("BT-2: exact results, rounded once to 38 digits", arguments: samples)
    func results(sample: Sample) throws {
        let output = evaluate(sample.operation, sample.operands)
        let result = try #require(ExactDecimal(sample.result))
        #expect(output.objectValue?.keys == ["ok", "operation", "result", "exact"])
        #expect(
            output == [
                "ok": true, "operation": .string(sample.operation), "result": .string(result.plainText),
                "exact": .bool(sample.isExact),
            ])
    }

    @Test(
        "U08: powers that cannot be given end at once, with a reason",
        arguments: [
            ([9, 387_420_489], "between -1000 and 1000"), ([10, 400], "out of range"), ([0, -1], "Division by zero"),
            ([-8, 0.333], "whole number"), ([1, 1e11], "between"), ([2, .int(.min)], "between"),
            ([2, .int(.max)], "between"),
            ([2, 1_001], "between"), ([2, "-1001"], "between"), ([2, "1e999999"], "Operand 2 is out of range"),
            ([10, 128], "out of range"),
            ([10, -128], "out of range"), ([2, -1_000], "less than 1e-127"), ([4, 0.5], "whole number"),
            ([2, 1e-100], "whole number"),
        ] as [([LLMJSONValue], String)])
    func powers(operands: [LLMJSONValue], reason: String) throws {
        #expect(try message(evaluate("power", operands)).contains(reason))
    }

    @Test(
        "U08: no other operation gives what is not finite either",
        arguments: [
            ("multiply", [1e100, 1e100], "out of range"), ("add", [1e308, 1e308], "Operand 1"),
            ("add", ["1e128"], "out of range"),
            ("add", [9e127, 9e127], "The result is out of range"), ("divide", [10, 0], "Division by zero"),
            ("divide", [0, 0], "Division by zero"), ("divide", [1, 5, "0e5"], "Division by zero"),
            ("divide", [1, -0.0], "Division by zero"),
            ("divide", ["1e100", "1e-100"], "out of range"), ("multiply", ["1e-100", "1e-100"], "less than 1e-127"),
            ("add", [.double(.nan)], "no number"), ("add", [.double(.infinity)], "no number"),
            ("add", [.double(.leastNonzeroMagnitude)], "Operand 1 is out of range"),
            (
                "multiply",
                ["9.9999999999999999999999999999999999999e127", "1.00000000000000000000000000000000000001"],
                "out of range"
            ),
        ] as [(String, [LLMJSONValue], String)])
    func finite(operation: String, operands: [LLMJSONValue], reason: String) throws {
        #expect(try message(evaluate(operation, operands)).contains(reason))
    }

    @Test(
        "U10: texts that are no numbers",
        arguments: [
            "2*/3", "(", "", "0x10", "nan", "1abc", "-nan", "infinity", "1e", " 1", "1 ", "+1", "1,000", "١", "\u{0}",
            "2+2", "1/3", "√2", "π",
        ])
    func badTexts(text: String) throws {
        for operation in ["add", "subtract", "multiply", "divide", "power"] {
            #expect(try message(evaluate(operation, [1, .string(text)])).contains("Operand 2"))
        }
    }

    @Test("operands that are no numbers", arguments: [nil, true, [1], ["a": 1]] as [LLMJSONValue])
    func badOperands(value: LLMJSONValue) throws {
        #expect(try message(evaluate("add", [1, 2, value])).contains("Operand 3"))
    }

    @Test(
        "BT-2: the number of operands",
        arguments: [
            ("add", []), ("multiply", []), ("subtract", [1]), ("divide", [1]), ("power", [2]), ("power", [2, 3, 4]),
            ("power", []),
        ] as [(String, [LLMJSONValue])])
    func counts(operation: String, operands: [LLMJSONValue]) throws {
        #expect(try message(evaluate(operation, operands)).contains("number"))
    }

    @Test(
        "BT-2: unknown operations",
        arguments: ["modulo", "", "ADD", "+", "ad\u{0}d", String(repeating: "🧮", count: 100_000)])
    func operations(name: String) throws {
        let message = try message(evaluate(name, [1, 2]))
        #expect(message.hasPrefix("Unsupported operation: "))
        #expect(message.contains("add, subtract, multiply, divide, power"))
        #expect(message.utf8.count < 500)
    }

    @Test(
        "arguments that are no calculation",
        arguments: [
            nil, [], "text", 1, [:], ["operation": "add"], ["operation": "add", "operands": nil],
            ["operation": "add", "operands": "1"],
            ["operation": 5, "operands": [1]], ["operation": nil, "operands": [1]], ["operands": [1]],
            ["operation": "add", "operands": ["a": 1]], #"{"operation":"add","operands":[1]}"#,
        ] as [LLMJSONValue])
    func noCalculations(arguments: LLMJSONValue) throws {
        #expect(try !message(LLMCalculateTool.evaluate(arguments: arguments)).isEmpty)
    }

    @Test("other members are ignored")
    func others() {
        let output = LLMCalculateTool.evaluate(arguments: ["operation": "add", "operands": [1, 2], "precision": 3])
        #expect(output.string(forKey: "result") == "3")
    }

    @Test("limits of the operands")
    func limits() throws {
        let thousand = LLMJSONValue.string("0." + String(repeating: "3", count: 998))
        #expect(evaluate("add", [thousand]).string(forKey: "exact") == "false")
        #expect(
            try message(evaluate("add", [.string("0." + String(repeating: "3", count: 999))])).contains("no number"))
        #expect(evaluate("add", Array(repeating: 0.1, count: 10_000)).string(forKey: "result") == "1000")
        #expect(try message(evaluate("add", Array(repeating: 0.1, count: 10_001))).contains("at most 10000"))
        #expect(try message(evaluate("multiply", Array(repeating: thousand, count: 201))).contains("200000 digits"))
    }

    @Test("results survive Foundation's coders")
    func coding() throws {
        let outputs = Self.samples.map { evaluate($0.operation, $0.operands) } + [evaluate("divide", [1, 0])]
        for output in outputs {
            let data = try JSONEncoder().encode(output)
            #expect(try JSONDecoder().decode(LLMJSONValue.self, from: data) == output)
            #expect(try LLMJSONValue(jsonString: output.jsonString()) == output)
        }
    }
}
