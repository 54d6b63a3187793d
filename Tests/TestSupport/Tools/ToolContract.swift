package import CarbocationLocalLLM

/// A run with tools that every engine has to tell about in the same way.
package struct ToolContract: Sendable, CustomStringConvertible {
    package var name: String
    package var request: LLMToolGenerationRequest
    /// What the small model of the test tree says to it.
    package var script: [[ScriptedLLMEngine.Step]]
    /// What happens, as in ``ToolRunLog``.
    package var log: [String]

    package var description: String { name }

    /// Additions, subtractions and multiplications of whole numbers, as small models know the tool.
    package static func calculate(
        _ body: @escaping @Sendable (LLMJSONValue) async throws -> LLMJSONValue = { try sum($0) }
    ) -> LLMTool {
        let definition = LLMToolDefinition(
            name: "calculate", description: "Do arithmetic.",
            parameters: [
                "type": "object",
                "properties": [
                    "operation": ["type": "string", "enum": ["add", "subtract", "multiply", "divide", "power"]],
                    "operands": ["type": "array", "items": ["type": "number"]],
                ],
                "required": ["operation", "operands"],
            ])
        return LLMTool(definition: definition, execute: body)
    }

    private struct Unsupported: Error {}

    @usableFromInline
    static func sum(_ arguments: LLMJSONValue) throws -> LLMJSONValue {
        let numbers = (arguments.array(forKey: "operands") ?? []).compactMap { value -> Int64? in
            if case .int(let number) = value { number } else { nil }
        }
        guard let first = numbers.first else { throw Unsupported() }
        let rest = numbers.dropFirst()
        switch arguments.string(forKey: "operation") {
        case "add": return ["ok": true, "result": .int(rest.reduce(first, +))]
        case "subtract": return ["ok": true, "result": .int(rest.reduce(first, -))]
        case "multiply": return ["ok": true, "result": .int(rest.reduce(first, *))]
        default: throw Unsupported()
        }
    }

    private static let addCall = ScriptedLLMEngine.Step.toolCall(
        name: "calculate", arguments: ["operation": "add", "operands": [17, 25]])
    private static let subtractCall = ScriptedLLMEngine.Step.toolCall(
        name: "calculate", arguments: ["operation": "subtract", "operands": [5, 2]])
    private static let multiplyCall = ScriptedLLMEngine.Step.toolCall(
        name: "calculate", arguments: ["operation": "multiply", "operands": [3, 4]])
    private static let add = #"{"operation":"add","operands":[17,25]}"#
    private static let subtract = #"{"operation":"subtract","operands":[5,2]}"#
    private static let multiply = #"{"operation":"multiply","operands":[3,4]}"#
}

extension ToolContract {
    private static func request(
        _ prompt: String = "What is 17 plus 25?", tools: [LLMTool] = [calculate()], thinks: Bool = false,
        _ change: (inout LLMToolGenerationRequest) -> Void = { _ in }
    ) -> LLMToolGenerationRequest {
        let options = GenerationOptions(temperature: 0, maxOutputTokens: 160, enableThinking: thinks)
        var request = LLMToolGenerationRequest(prompt: prompt, options: options, tools: tools)
        change(&request)
        return request
    }

    private static func fails(_ code: String, _ change: (inout LLMToolGenerationRequest) -> Void) -> ToolContract {
        ToolContract(
            name: code, request: request(change: change),
            script: [[addCall], [.text("Sorry, the tool failed.")]],
            log: [
                "round 1", "start call_1 calculate \(add)", "fail call_1 \(code)", "final: Sorry, the tool failed.",
                "stopped complete",
                "result “Sorry, the tool failed.” rounds 1 calls [\"call_1\"] outputs [\"call_1\"] complete",
            ])
    }

    private static func request(change: (inout LLMToolGenerationRequest) -> Void) -> LLMToolGenerationRequest {
        request("What is 17 plus 25?", change)
    }

    /// All of them.
    package static let all: [ToolContract] = [
        ToolContract(
            name: "one call", request: request(),
            script: [[addCall], [.text("The result is 42.")]],
            log: [
                "round 1", "start call_1 calculate \(add)", #"done call_1 {"ok":true,"result":42}"#,
                "final: The result is 42.", "stopped complete",
                "result “The result is 42.” rounds 1 calls [\"call_1\"] outputs [\"call_1\"] complete",
            ]),
        ToolContract(
            name: "one call, thinking", request: request(thinks: true),
            script: [
                [.thinking("Use calculate: add 17, 25."), addCall],
                [.thinking("The tool is done."), .text("The result is 42.")],
            ],
            log: [
                "thinking: Use calculate: add 17, 25.", "round 1", "start call_1 calculate \(add)",
                #"done call_1 {"ok":true,"result":42}"#, "thinking: \nThe tool is done.", "final: The result is 42.",
                "stopped complete",
                "result “The result is 42.” rounds 1 calls [\"call_1\"] outputs [\"call_1\"] complete",
            ]),
        ToolContract(
            name: "two calls",
            request: request("What is 3 times 4 and 5 minus 2?") { $0.maximumConcurrentToolCalls = 1 },
            script: [[multiplyCall, subtractCall], [.text("The results are 12 and 3.")]],
            log: [
                "round 1", "start call_1 calculate \(multiply)", #"done call_1 {"ok":true,"result":12}"#,
                "start call_2 calculate \(subtract)", #"done call_2 {"ok":true,"result":3}"#,
                "final: The results are 12 and 3.", "stopped complete",
                "result “The results are 12 and 3.” rounds 1 calls [\"call_1\", \"call_2\"] "
                    + "outputs [\"call_1\", \"call_2\"] complete",
            ]),
        fails("tool_execution_failed") { $0.tools = [calculate { _ in throw Unsupported() }] },
        fails("tool_denied") { $0.approval = LLMToolApproval { _ in .deny(reason: "Not now.") } },
        fails("tool_timeout") { request in
            request.toolTimeout = .zero
            request.tools = [
                calculate { _ in
                    try await Task.sleep(for: .seconds(3600)); return .null
                }
            ]
        },
        ToolContract(
            name: "no rounds", request: request { $0.maxToolRounds = 0 },
            script: [[addCall], [.text("Sorry, "), .text("the tool failed.")]],
            log: [
                "start call_1 calculate \(add)", "fail call_1 max_tool_rounds", "final: Sorry, the tool failed.",
                "stopped max-tool-rounds",
                "result “Sorry, the tool failed.” rounds 0 calls [\"call_1\"] outputs [\"call_1\"] max-tool-rounds",
            ]),
        ToolContract(
            name: "no tools", request: request("What is 2 plus 3?", tools: []),
            script: [[.text("5")]],
            log: ["final: 5", "stopped complete", "result “5” rounds 0 calls [] outputs [] complete"]),
        ToolContract(
            name: "choice of none", request: request("What is 2 plus 3?") { $0.toolChoice = .none },
            script: [[.text("5")]],
            log: ["final: 5", "stopped complete", "result “5” rounds 0 calls [] outputs [] complete"]),
        ToolContract(
            name: "cancelled by a tool",
            request: request { $0.tools = [calculate { _ in throw CancellationError() }] },
            script: [[addCall]],
            log: [
                "round 1", "start call_1 calculate \(add)", "stopped cancelled", "error CancellationError()",
            ]),
        ToolContract(
            name: "a tool that is not there", request: request { $0.toolChoice = .named("other") },
            script: [],
            log: ["error \(LLMToolError.invalidRequest(unknownChoice))"]),
    ]

    private static let unknownChoice =
        "A call of “other” is required, but no tool has that name. Declare it, or choose another."
}
