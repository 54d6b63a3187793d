import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite("Running the calls of a reply", .timeLimit(.minutes(10)))
struct ToolCallRunnerTests {
    private struct Broken: LocalizedError {
        var errorDescription: String? { "The disk is full." }
    }

    /// What happened, in order.
    private final class Log: Sendable {
        private let lines = Locked<[String]>([])

        func add(_ line: String) {
            lines.withLock { $0.append(line) }
        }

        var all: [String] { lines.withLock { $0 } }
    }

    private static func tool(
        _ name: String = "work", timeout: Duration? = nil,
        _ body: @escaping @Sendable (LLMJSONValue) async throws -> LLMJSONValue
    ) -> LLMTool {
        LLMTool(
            definition: LLMToolDefinition(name: name, description: "Works."), timeout: timeout, execute: body)
    }

    private static func planned(_ id: String, _ name: String = "work", _ arguments: LLMJSONValue = [:])
        -> PlannedToolCall
    {
        PlannedToolCall(LLMToolCall(executionID: id, name: name, arguments: arguments))
    }

    private static func run(
        _ calls: [PlannedToolCall], tools: [LLMTool], limit: Int = 4, timeout: Duration = .seconds(60),
        approval: LLMToolApproval = .automatic, log: Log = Log(),
        admit: (LLMToolOutput) async throws -> LLMToolOutput = { $0 }
    ) async throws -> [LLMToolOutput] {
        let request = LLMToolGenerationRequest(
            prompt: "Hi", tools: tools, maximumConcurrentToolCalls: limit, toolTimeout: timeout, approval: approval)
        let runner = ToolCallRunner(request, clock: ContinuousClock())
        return try await runner.outputs(of: calls, admit: admit) { event in
            switch event {
            case .started(let call): log.add("start \(call.id)")
            case .answered(let output): log.add("\(output.isError ? "fail" : "done") \(output.callID)")
            }
        }
    }

    private static func code(_ output: LLMToolOutput) -> String? {
        output.content.value(forKey: "error")?.string(forKey: "code")
    }

    private static func message(_ output: LLMToolOutput) -> String? {
        output.content.value(forKey: "error")?.string(forKey: "message")
    }

    @Test("TL-6: outputs stand in the order of the calls, answers come as they happen")
    func order() async throws {
        let second = OneShot<Void>()
        let tool = Self.tool { arguments in
            if arguments.value(forKey: "n") == 1 { await second.value() }
            return ["got": arguments.value(forKey: "n") ?? .null]
        }
        let log = Log()
        let calls = (1...2).map { Self.planned("call_\($0)", "work", ["n": .int(Int64($0))]) }
        let outputs = try await Self.run(calls, tools: [tool], log: log) { output in
            if output.callID == "call_2" { second.resolve(()) }
            return output
        }
        #expect(outputs.map(\.callID) == ["call_1", "call_2"])
        #expect(outputs.map(\.content) == [["got": 1], ["got": 2]])
        #expect(log.all == ["start call_1", "start call_2", "done call_2", "done call_1"])
    }

    @Test("TL-6: as many calls run at once as allowed, and no more", arguments: [1, 2, 3])
    func concurrency(limit: Int) async throws {
        let running = Locked((now: 0, most: 0))
        let full = OneShot<Void>()
        let tool = Self.tool { _ in
            running.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
            if running.withLock({ $0.most }) == limit { full.resolve(()) }
            await full.value()
            running.withLock { $0.now -= 1 }
            return .null
        }
        let log = Log()
        let calls = (1...9).map { Self.planned("c\($0)") }
        let outputs = try await Self.run(calls, tools: [tool], limit: limit, log: log)
        #expect(outputs.map(\.callID) == calls.map(\.call.id))
        #expect(running.withLock { $0.most } == limit)
        #expect(log.all.filter { $0.hasPrefix("start") } == calls.map { "start \($0.call.id)" })
        if limit == 1 { #expect(log.all.prefix(4) == ["start c1", "done c1", "start c2", "done c2"]) }
    }

    @Test("TL-7: what a tool throws is told to the model, and the other calls go on")
    func failure() async throws {
        let tools = [
            Self.tool("broken") { _ in throw Broken() }, Self.tool { _ in "fine" },
            Self.tool("picky") { _ in throw ToolFailure(code: "too_big", "Use less.") },
        ]
        let outputs = try await Self.run(
            [Self.planned("a", "broken"), Self.planned("b"), Self.planned("c", "picky"), Self.planned("d", "none")],
            tools: tools)
        #expect(outputs.map(Self.code) == ["tool_execution_failed", nil, "too_big", "unknown_tool"])
        #expect(outputs.map(\.isError) == [true, false, true, true])
        #expect(Self.message(outputs[0]) == "The disk is full.")
        #expect(outputs[0].content.value(forKey: "ok") == false)
        #expect(outputs[1].content == "fine")
    }

    @Test("TL-7: a call that is known not to run is answered without approval or tool")
    func refused() async throws {
        let asked = Locked(0)
        var call = Self.planned("a")
        call.failure = ToolFailure(code: "max_tool_rounds", "No more.")
        let outputs = try await Self.run(
            [call],
            tools: [
                Self.tool { _ in
                    asked.withLock { $0 += 1 }; return .null
                }
            ],
            approval: LLMToolApproval { _ in
                asked.withLock { $0 += 1 }; return .allow
            })
        #expect(Self.code(outputs[0]) == "max_tool_rounds")
        #expect(asked.withLock { $0 } == 0)
    }

    @Test("TL-7: a denied call does not run, with the reason as message")
    func denial() async throws {
        let ran = Locked<[String]>([])
        let tool = Self.tool { arguments in
            ran.withLock { $0.append(arguments.string(forKey: "id") ?? "") }
            return .null
        }
        let approval = LLMToolApproval { call in
            if call.id == "b" { throw Broken() }
            return call.id == "a" ? .deny(reason: "Not at night.") : .allow
        }
        let calls = ["a", "b", "c"].map { Self.planned($0, "work", ["id": .string($0)]) }
        let outputs = try await Self.run(calls, tools: [tool], approval: approval)
        #expect(outputs.map(Self.code) == ["tool_denied", "tool_denied", nil])
        #expect(Self.message(outputs[0]) == "Not at night.")
        #expect(Self.message(outputs[1]) == "The disk is full.")
        #expect(ran.withLock { $0 } == ["c"])
    }

    @Test("TL-7: when a tool's time is over it is cancelled, and not waited for", arguments: [true, false])
    func timeout(ownLimit: Bool) async throws {
        let cancelled = OneShot<Void>()
        let release = OneShot<Void>()
        let tool = Self.tool(timeout: ownLimit ? .zero : nil) { _ in
            await withTaskCancellationHandler {
                // Takes no notice of the cancellation.
                await release.value()
            } onCancel: {
                cancelled.resolve(())
            }
            return "late"
        }
        let outputs = try await Self.run(
            [Self.planned("a")], tools: [tool], timeout: ownLimit ? .seconds(600) : .zero)
        await cancelled.value()
        #expect(Self.code(outputs[0]) == "tool_timeout")
        release.resolve(())
    }

    @Test("limits beyond all clocks are none", arguments: [Duration.seconds(Int64.max), .seconds(1e18)])
    func endlessLimit(limit: Duration) async throws {
        let outputs = try await Self.run([Self.planned("a")], tools: [Self.tool { _ in 1 }], timeout: limit)
        #expect(outputs.map(\.content) == [1])
    }

    @Test("TL-7: a cancellation ends the run at once, whoever throws it", arguments: ["tool", "approval", "caller"])
    func cancellation(by origin: String) async throws {
        let cancelled = OneShot<Void>()
        let started = OneShot<Void>()
        let never = OneShot<Void>()
        let stuck = Self.tool("stuck") { _ in
            await withTaskCancellationHandler {
                started.resolve(())
                await never.value()
            } onCancel: {
                cancelled.resolve(())
            }
            return .null
        }
        let quits = Self.tool("quits") { _ in
            await started.value()
            if origin == "tool" { throw CancellationError() }
            await never.value()
            return .null
        }
        let approval = LLMToolApproval { call in
            guard origin == "approval", call.id == "b" else { return .allow }
            await started.value()
            throw CancellationError()
        }
        let run = Task {
            try await Self.run(
                [Self.planned("a", "stuck"), Self.planned("b", "quits")], tools: [stuck, quits], approval: approval)
        }
        if origin == "caller" {
            await started.value()
            run.cancel()
        }
        await #expect(throws: CancellationError.self) { try await run.value }
        await cancelled.value()
        never.resolve(())
    }

    @Test("TL-7: an output that is replaced is told as replaced")
    func admission() async throws {
        let log = Log()
        let outputs = try await Self.run([Self.planned("a")], tools: [Self.tool { _ in "long" }], log: log) { output in
            LLMToolOutput(callID: output.callID, name: output.name, content: "short", isError: true)
        }
        #expect(outputs.map(\.content) == ["short"])
        #expect(log.all == ["start a", "fail a"])
    }

    @Test("an error of any length is told in bounded length")
    func longError() async throws {
        struct Endless: LocalizedError {
            var errorDescription: String? { String(repeating: "é", count: 1_000_000) }
        }
        let outputs = try await Self.run([Self.planned("a")], tools: [Self.tool { _ in throw Endless() }])
        #expect((Self.message(outputs[0]) ?? "").unicodeScalars.count == 2000)
    }
}
