import CarbocationLocalLLM

extension LLMConvertUnitsTool {
    static var definition: LLMToolDefinition {
        LLMToolDefinition(
            name: "convert_units",
            description: "Converts a number from one unit to another. Knows units of \(UnitCategory.list); "
                + "no currencies.",
            parameters: [
                "type": "object",
                "properties": [
                    "value": ["type": ["number", "string"], "description": "The number to convert."],
                    "from_unit": ["type": "string", "description": "The unit of the value, such as miles."],
                    "to_unit": ["type": "string", "description": "The unit to convert to, such as kilometers."],
                    "category": [
                        "type": "string",
                        "enum": .array(UnitCategory.allCases.map { .string($0.rawValue) }),
                        "description": "What is measured, if the units do not tell.",
                    ],
                ],
                "required": ["value", "from_unit", "to_unit"],
            ])
    }
}
