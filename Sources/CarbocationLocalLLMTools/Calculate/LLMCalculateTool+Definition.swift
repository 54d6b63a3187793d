import CarbocationLocalLLM

extension LLMCalculateTool {
    static var definition: LLMToolDefinition {
        LLMToolDefinition(
            name: "calculate",
            description: "Does one exact arithmetic operation on numbers, from left to right. "
                + "Returns the result as text.",
            parameters: [
                "type": "object",
                "properties": [
                    "operation": [
                        "type": "string",
                        "enum": .array(CalculateOperation.allCases.map { .string($0.rawValue) }),
                        "description": "For power the operands are the base and a whole exponent.",
                    ],
                    "operands": [
                        "type": "array",
                        "items": ["type": ["number", "string"]],
                        "minItems": 1,
                        "description":
                            "The numbers in order. Write those of more than 15 digits as text, so that none get lost.",
                    ],
                ],
                "required": ["operation", "operands"],
            ])
    }
}
