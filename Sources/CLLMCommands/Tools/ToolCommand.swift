import CarbocationLocalLLM
import Foundation

/// `tool`: runs a bundled tool without a model.
struct ToolCommand: Command {
    static let specification = CommandSpecification(
        path: ["tool"], summary: "Runs a bundled tool on JSON arguments and prints its output as JSON.",
        positional: .init(name: "NAME", help: "One of \(BundledTool.list).", isRequired: true),
        secondPositional: .init(
            name: "JSON", help: "The arguments, a JSON object; '-' or nothing reads standard input to its end."),
        options: [BundledTool.allowPrivateHosts])

    private let tool: BundledTool
    /// Nil to read them from standard input.
    private let argumentText: String?
    private let allowsPrivateHosts: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        let name = arguments.positional ?? ""
        guard let tool = BundledTool(rawValue: name) else {
            throw arguments.usage(BundledTool.problem(withName: name))
        }
        self.tool = tool
        argumentText = arguments.secondPositional == "-" ? nil : arguments.secondPositional
        allowsPrivateHosts = arguments.isSet(BundledTool.allowPrivateHosts)
    }

    func run(in context: CommandContext) async throws {
        let bytes: [UInt8]
        if let argumentText {
            bytes = Array(argumentText.utf8)
        } else {
            bytes = try await PromptArguments.standardInputBytes(in: context)
        }
        try context.print(try await output(argumentBytes: bytes, in: context).jsonString() + "\n")
    }

    /// What a model is told about a call with these arguments; failures of the tool are such outputs too.
    private func output(argumentBytes: [UInt8], in context: CommandContext) async throws -> LLMJSONValue {
        let tool = tool.tool(allowsPrivateHosts: allowsPrivateHosts, fetcher: context.environment.webpageFetcher)
        do {
            let arguments = try arguments(argumentBytes)
            return try await Cancellable.value { try await tool.call(arguments: arguments) }
        } catch let failure as ToolFailure {
            return failure.output
        } catch let error where !(error is CancellationError) {
            return ToolFailure(code: "tool_execution_failed", FailureReport(error).message).output
        }
    }

    /// The object that a text stands for, as in the call of a model; the tool looks at what is in there.
    private func arguments(_ bytes: [UInt8]) throws(ToolFailure) -> LLMJSONValue {
        guard let arguments = ArgumentsText(try value(bytes))?.object(for: nil) else {
            throw ToolFailure("The arguments of \(tool.rawValue) are no JSON object. Give an object.")
        }
        return arguments
    }

    /// The JSON value of a text, nil of a blank one.
    private func value(_ bytes: [UInt8]) throws(ToolFailure) -> LLMJSONValue? {
        if bytes.allSatisfy({ " \t\r\n".utf8.contains($0) }) { return nil }
        do {
            return try LLMJSONValue(jsonData: Data(bytes))
        } catch {
            throw ToolFailure("The arguments of \(tool.rawValue) are not JSON: \(FailureReport(error).message)")
        }
    }
}
