import CarbocationLlamaRuntime
import CarbocationLocalLLM

/// `debug parse`: recorded model output read as in a generation.
struct DebugParseCommand: Command {
    static let pairs = OptionSpecification.value(
        "pairs", "OPEN,CLOSE", "The markers around thinking, in place of a template.")
    static let stop = OptionSpecification.list("stop", "S", "End before this text; may be given several times.")
    static let input = OptionSpecification.value(
        "input", "FILE", "The raw output; '-' or nothing reads standard input to its end.")
    static let chunk = OptionSpecification.value(
        "chunk", "N", "Bytes to read at a time, 0 for all at once (default: 0). The result does not depend on it.")
    static let json = OptionSpecification.flag("json", "Print phases, calls and events as JSON.")
    static let specification = CommandSpecification(
        path: ["debug", "parse"], summary: "Reads raw model output: thinking, answer and tool calls.",
        options: [
            DebugRenderCommand.template, pairs, DebugRenderCommand.tools, DebugRenderCommand.think, stop, input, chunk,
            json,
        ])

    private let templatePath: String?
    private let pair: OutputDelimiterPair?
    private let toolsPath: String?
    private let enablesThinking: Bool
    private let stops: [String]
    private let inputPath: String?
    private let chunkSize: Int
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        templatePath = try arguments.text(DebugRenderCommand.template)
        pair = try Self.pair(arguments)
        if templatePath != nil, pair != nil { throw arguments.usage("--template and --pairs exclude each other") }
        toolsPath = try arguments.text(DebugRenderCommand.tools)
        enablesThinking = arguments.isSet(DebugRenderCommand.think)
        stops = arguments.options.all(Self.stop)
        let path = try arguments.text(Self.input)
        inputPath = path == "-" ? nil : path
        chunkSize = try arguments.integer(Self.chunk, atLeast: 0) ?? 0
        printsJSON = arguments.isSet(Self.json)
    }

    func run(in context: CommandContext) async throws {
        let tools = try toolsPath.map { try ToolFile(text: InputFile.text(at: $0), named: "'\($0)'") }
        let format = try format(tools, in: context)
        let bytes: [UInt8]
        if let inputPath {
            bytes = try InputFile.bytes(at: inputPath)
        } else {
            bytes = try await context.environment.input.readToEnd()
        }
        let trace = ReplyTrace(
            of: format.turnEnd.removed(from: bytes), chunk: chunkSize, format: format.reply,
            endMarkers: format.endMarkers)
        try context.print(printsJSON ? JSONDocument.text(trace.json) : trace.text)
    }

    private static func pair(_ arguments: ParsedArguments) throws(UsageError) -> OutputDelimiterPair? {
        guard let text = try arguments.text(Self.pairs) else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[1].isEmpty else {
            throw arguments.usage("--pairs needs two markers with a comma between them, not '\(text)'")
        }
        return OutputDelimiterPair(open: parts[0], close: parts[1])
    }

    /// How to read the output, which stops among its texts mean the end of the turn, and what else does.
    private func format(
        _ tools: ToolFile?, in context: CommandContext
    ) throws -> (reply: ReplyFormat, endMarkers: Set<String>, turnEnd: TurnEnd) {
        var configuration = LLMStreamPhaseConfiguration()
        configuration.thinkingPairs = [pair].compactMap(\.self)
        let template = try templatePath.map { try InputFile.text(at: $0) }
        let render = try template.map {
            try context.runtime.renderer(of: .text($0, endOfSequence: TurnEnd.endOfSequence))
        }
        let report = try render.map { try $0(question(tools)) }
        let phases = ReplyFormat.Phases(
            promptTail: report?.segments.templateTail ?? "", thinkingStart: report?.thinkingStart,
            thinkingEnds: report?.thinkingEnds ?? [], template: TemplateReplyMarkers(template: template),
            configuration: configuration)
        let endMarkers = phases.endMarkers(found: report?.stops ?? [])
        var reply = ReplyFormat(
            stops: StopFilter.effectiveStops(requested: stops, template: endMarkers), phases: phases)
        if let tools, !tools.definitions.isEmpty {
            reply.answer = .tools(
                ToolCallSyntax.detect(template: template, analysis: report?.toolMarkers), tools.definitions)
        }
        var turnEnd = TurnEnd(texts: [])
        if let template, let render {
            turnEnd = TurnEnd(template: template, format: reply) { try render($0).prompt }
        }
        return (reply, Set(endMarkers).subtracting(stops), turnEnd)
    }

    /// Any question: what the template makes of it shows how replies are written.
    private func question(_ tools: ToolFile?) -> PromptRenderRequest {
        PromptRenderRequest(
            messages: [["role": "user", "content": "?"]], tools: tools?.json, enableThinking: enablesThinking)
    }
}
