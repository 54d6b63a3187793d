import Foundation

/// Answers the calls of one reply: runs what may run, and says why about the others.
package struct ToolCallRunner: Sendable {
    /// What is told about the calls while they are answered.
    package enum Event: Sendable, Hashable {
        case started(LLMToolCall)
        /// The tool answered, or the output says why it did not.
        case answered(LLMToolOutput)
    }

    private let tools: [String: LLMTool]
    private let approval: LLMToolApproval
    private let concurrencyLimit: Int
    private let timeout: Duration
    private let clock: any Clock<Duration>

    /// Creates a runner for the tools of a checked request; `clock` measures their timeouts.
    package init(_ request: LLMToolGenerationRequest, clock: any Clock<Duration>) {
        tools = Dictionary(request.tools.map { ($0.definition.name, $0) }) { first, _ in first }
        approval = request.approval
        concurrencyLimit = max(1, request.maximumConcurrentToolCalls)
        timeout = request.toolTimeout
        self.clock = clock
    }

    /// Answers calls, several at the same time.
    ///
    /// - Parameters:
    ///   - calls: The calls in order.
    ///   - admit: What becomes of an output before anybody is told, one at a time as they come: it may be replaced.
    ///   - onEvent: Receives the events one at a time: starts in the order of the calls, answers as they come.
    /// - Returns: The outputs in the order of the calls.
    /// - Throws: `CancellationError` when the task was cancelled or a tool or an approval threw one, at once and without
    ///   waiting for tools that go on; and what `admit` throws.
    package func outputs(
        of calls: [PlannedToolCall], admit: (LLMToolOutput) async throws -> LLMToolOutput,
        onEvent: (Event) -> Void
    ) async throws -> [LLMToolOutput] {
        var outputs = [LLMToolOutput?](repeating: nil, count: calls.count)
        try await withThrowingTaskGroup(of: (Int, LLMToolOutput).self) { group in
            var waiting = calls.indices[...]
            func startNext() {
                guard let index = waiting.popFirst() else { return }
                onEvent(.started(calls[index].call))
                group.addTask { (index, try await output(of: calls[index])) }
            }
            for _ in 0..<min(concurrencyLimit, calls.count) { startNext() }
            while let (index, output) = try await group.next() {
                let admitted = try await admit(output)
                outputs[index] = admitted
                onEvent(.answered(admitted))
                startNext()
            }
        }
        return outputs.compactMap(\.self)
    }

    private func output(of planned: PlannedToolCall) async throws -> LLMToolOutput {
        try Task.checkCancellation()
        if let failure = planned.failure { return planned.output(of: failure) }
        let call = planned.call
        do {
            guard let tool = tools[call.name] else {
                throw ToolFailure(code: "unknown_tool", "Unknown tool: \(call.name)")
            }
            try await requireApproval(of: call)
            let content = try await content(of: call, by: tool)
            return LLMToolOutput(callID: call.id, name: call.name, content: content)
        } catch let failure as ToolFailure {
            return planned.output(of: failure)
        }
    }

    private func requireApproval(of call: LLMToolCall) async throws {
        let decision: LLMToolApproval.Decision
        do {
            decision = try await Cancellable.value { try await approval.decision(on: call) }
        } catch let error where !(error is CancellationError) {
            throw ToolFailure(code: "tool_denied", Self.message(of: error))
        }
        if case .deny(let reason) = decision { throw ToolFailure(code: "tool_denied", reason) }
    }

    private func content(of call: LLMToolCall, by tool: LLMTool) async throws -> LLMJSONValue {
        let limit = tool.timeout ?? timeout
        let content: LLMJSONValue?
        do {
            content = try await Cancellable.value(within: limit, clock: clock) {
                try await tool.call(arguments: call.arguments)
            }
        } catch let failure as ToolFailure {
            throw failure
        } catch let error where !(error is CancellationError) {
            throw ToolFailure(code: "tool_execution_failed", Self.message(of: error))
        }
        guard let content else {
            throw ToolFailure(
                code: "tool_timeout", "\(call.name) gave no answer within \(limit).")
        }
        return content
    }

    /// An error as the model is told about it.
    private static func message(of error: any Error) -> String {
        (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
    }
}
