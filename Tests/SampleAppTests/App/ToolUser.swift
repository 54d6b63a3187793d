import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Foundation

/// Which tools the app may offer.
struct ToolSwitches: Sendable {
    var calculates = true
    var convertsUnits = true
    var opensWebpages = false
}

/// Answers questions with tools.
struct ToolUser: Sendable {
    let engine: any LLMEngine
    var switches = ToolSwitches()
    /// Shows a call to the user, who allows it or does not.
    let userAllows: @Sendable (LLMToolCall) async -> Bool

    // snippet.switches
    /// Only what is in this list can ever run.
    var tools: [LLMTool] {
        var tools = [Self.today]
        if switches.calculates { tools.append(LLMStandardTools.calculate()) }
        if switches.convertsUnits { tools.append(LLMStandardTools.convertUnits()) }
        if switches.opensWebpages { tools.append(LLMStandardTools.loadWebpage()) }
        return tools
    }
    // snippet.end

    // snippet.tool
    /// A tool of the app's own; without parameters here.
    static let today = LLMTool(
        definition: LLMToolDefinition(name: "get_date", description: "The date of today.")
    ) { _ in
        ["date": .string(Date.now.formatted(.iso8601.year().month().day()))]
    }
    // snippet.end

    // snippet.answer
    func answer(_ question: String, showing answer: Answer) async throws -> [LLMToolCall] {
        let request = LLMToolGenerationRequest(
            system: "Use the tools where they help.", prompt: question,
            options: GenerationOptions(temperature: 0, maxOutputTokens: 512), tools: tools, maxToolRounds: 3,
            approval: approval)
        var calls: [LLMToolCall] = []
        for try await event in engine.streamWithTools(request, control: nil) {
            switch event {
            case .generationEvent(let event): await answer.show(event)
            case .completed(let result): calls = result.toolCalls
            default: break
            }
        }
        return calls
    }
    // snippet.end

    // snippet.approval
    /// Pages are opened when the user says so; everything else stays on this machine and is allowed.
    private var approval: LLMToolApproval {
        LLMToolApproval { call in
            guard call.name == "load_webpage" else { return .allow }
            return await userAllows(call) ? .allow : .deny(reason: "The user does not want this page opened.")
        }
    }
    // snippet.end
}
