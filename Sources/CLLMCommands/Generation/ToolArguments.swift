import CarbocationLocalLLM
import Foundation

/// Which tools the model may call.
struct ToolArguments: Sendable, Hashable {
    static let tools = OptionSpecification.list(
        "tools", "A,B,…", "Bundled tools that the model may call: all, or of \(BundledTool.list).")
    static let choice = OptionSpecification.value(
        "tool-choice", "CHOICE",
        "auto, none, required, or the name of the tool that has to be called first (default: auto).")
    static let maxRounds = OptionSpecification.value(
        "max-tool-rounds", "N", "Most times that calls are answered; 0 runs none (default: \(defaultMaxRounds)).")
    static let specifications = [tools, choice, maxRounds, BundledTool.allowPrivateHosts]

    private static let defaultMaxRounds = 4

    private let tools: [BundledTool]
    private let choice: LLMToolChoice
    private let maxRounds: Int
    private let allowsPrivateHosts: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        tools = try Self.tools(arguments)
        choice = try Self.choice(arguments, of: tools)
        maxRounds = try arguments.integer(Self.maxRounds, atLeast: 0) ?? Self.defaultMaxRounds
        allowsPrivateHosts = arguments.isSet(BundledTool.allowPrivateHosts)
        guard !tools.isEmpty, choice != .none else { return }
        let structured = [
            GenerationArguments.grammar, GenerationArguments.jsonSchema, GenerationArguments.balancedJSON,
        ]
        if let option = structured.first(where: arguments.isSet) {
            throw arguments.usage("\(Self.tools.spelling) and \(option.spelling) exclude each other")
        }
    }

    /// The request with the tools; nil when there are none.
    func request(_ request: LLMGenerationRequest, in context: CommandContext) -> LLMToolGenerationRequest? {
        guard !tools.isEmpty else { return nil }
        let fetcher = context.environment.webpageFetcher
        return LLMToolGenerationRequest(
            messages: request.messages, options: request.options,
            tools: tools.map { $0.tool(allowsPrivateHosts: allowsPrivateHosts, fetcher: fetcher) },
            toolChoice: choice, maxToolRounds: maxRounds)
    }

    /// The tools in the order given, each once.
    private static func tools(_ arguments: ParsedArguments) throws(UsageError) -> [BundledTool] {
        var tools: [BundledTool] = []
        for list in arguments.options.all(Self.tools) {
            for part in list.split(separator: ",", omittingEmptySubsequences: false) {
                for tool in try named(part, arguments) where !tools.contains(tool) { tools.append(tool) }
            }
        }
        return tools
    }

    private static func named(_ part: Substring, _ arguments: ParsedArguments) throws(UsageError) -> [BundledTool] {
        let name = part.trimmingCharacters(in: .whitespaces)
        if name == "all" { return BundledTool.allCases }
        if let tool = BundledTool(rawValue: name) { return [tool] }
        throw arguments.usage(BundledTool.problem(withName: name))
    }

    private static func choice(
        _ arguments: ParsedArguments, of tools: [BundledTool]
    ) throws(UsageError) -> LLMToolChoice {
        switch try arguments.text(Self.choice) {
        case nil, "auto": return .auto
        case "none": return .none
        case "required":
            if tools.isEmpty { throw arguments.usage("\(Self.choice.spelling) required needs \(Self.tools.spelling)") }
            return .required
        case let name?:
            if tools.contains(where: { $0.rawValue == name }) { return .named(name) }
            let known = (["auto", "none", "required"] + tools.map(\.rawValue)).joined(separator: ", ")
            throw arguments.usage("\(Self.choice.spelling) is one of \(known), not '\(name)'")
        }
    }
}
