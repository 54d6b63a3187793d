public import CarbocationLocalLLM

/// The tool `calculate`: arithmetic on decimals.
public enum LLMCalculateTool {
    /// Calculates what the arguments say.
    ///
    /// The arguments are `{"operation":…,"operands":[…]}`, where the operation is `add`, `subtract`, `multiply`,
    /// `divide` or `power` and the operands are numbers, or texts of numbers in JSON's syntax. Lists are worked through
    /// from left to right. A power has two operands, and its exponent is a whole number from -1000 to 1000; zero to the
    /// power of zero is one.
    ///
    /// The result is that of exact decimal arithmetic. It is rounded once and at the end, if it has more than 38 digits:
    /// to the nearest number, and halfway to the even one. Numbers of 1e128 and more, and those closer to zero than
    /// 1e-127, are refused. There can be 10,000 operands of 200,000 digits together, and a text can
    /// have 1,000 characters.
    ///
    /// ```swift
    /// LLMCalculateTool.evaluate(arguments: ["operation": "add", "operands": [0.1, 0.2]])
    /// // {"ok":true,"operation":"add","result":"0.3","exact":true}
    /// ```
    ///
    /// - Parameter arguments: Anything; what is no such object gives a failure.
    /// - Returns: `{"ok":true,"operation":…,"result":…,"exact":…}`, the result in plain digits and whether it was not
    ///   rounded, or `{"ok":false,"error":{"code":"invalid_arguments","message":…}}`.
    public static func evaluate(arguments: LLMJSONValue) -> LLMJSONValue {
        do throws(ToolFailure) {
            let operation = try operation(in: arguments)
            let operands = try operands(in: arguments, of: operation)
            let result = try operation.result(of: operands)
            try check(result.value, "The result")
            return [
                "ok": true, "operation": .string(operation.rawValue), "result": .string(result.value.plainText),
                "exact": .bool(result.isExact),
            ]
        } catch {
            return error.output
        }
    }

    private static let maximumOperands = 10_000
    private static let maximumDigits = 200_000
    private static let maximumExponent = 127

    private static func operation(in arguments: LLMJSONValue) throws(ToolFailure) -> CalculateOperation {
        guard case .object(let object) = arguments else {
            throw ToolFailure("The arguments are no object. Give an operation and its operands.")
        }
        guard let name = object["operation"] else {
            throw ToolFailure("The operation is missing. Give one of \(CalculateOperation.list).")
        }
        guard case .string(let text) = name, let operation = CalculateOperation(rawValue: text) else {
            throw ToolFailure("Unsupported operation: \(name.quoted). Give one of \(CalculateOperation.list).")
        }
        return operation
    }

    private static func operands(
        in arguments: LLMJSONValue, of operation: CalculateOperation
    ) throws(ToolFailure) -> [ExactDecimal] {
        guard let values = arguments.array(forKey: "operands") else {
            throw ToolFailure("The operands are missing, or no list. Give a list of numbers.")
        }
        guard values.count >= operation.operandCount.lowerBound, values.count <= operation.operandCount.upperBound
        else { throw ToolFailure(operation.countMessage(for: values.count)) }
        guard values.count <= maximumOperands else {
            throw ToolFailure("There are \(values.count) operands. Give at most \(maximumOperands).")
        }
        var operands: [ExactDecimal] = []
        var digitCount = 0
        operands.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            guard let operand = value.exactDecimal else {
                throw ToolFailure(
                    "Operand \(index + 1), \(value.quoted), is no number. Give numbers such as -12.5 or 1e3.")
            }
            try check(operand, "Operand \(index + 1)")
            operands.append(operand)
            digitCount += operand.significand.digitCount
            guard digitCount <= maximumDigits else {
                throw ToolFailure("The operands have more than \(maximumDigits) digits together. Give fewer.")
            }
        }
        return operands
    }

    private static func check(_ number: ExactDecimal, _ name: String) throws(ToolFailure) {
        guard number.scientificExponent.magnitude > maximumExponent else { return }
        throw ToolFailure(
            number.scientificExponent > 0
                ? "\(name) is out of range: numbers must be less than 1e\(maximumExponent + 1)."
                : "\(name) is out of range: it is not zero, but less than 1e-\(maximumExponent).")
    }
}
