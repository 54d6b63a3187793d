import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

/// Requests of all kinds on one context with eight sequences, and sessions beside it.
///
/// `CARBOCATION_LOAD_REQUESTS` makes it as many requests and prints the memory of the process, which has to stay flat in
/// long runs.
@Suite("Mixed load", .needsRuntime)
struct MixedLoadTests {
    private static let sequences = 8
    private static let callers = 12
    private static let requested = ProcessInfo.processInfo.environment["CARBOCATION_LOAD_REQUESTS"].flatMap(Int.init)

    /// Requests of a run that has to show that memory stays flat.
    private static let longRun = 1000
    private static let mostGrowth = 0.1
    /// Sessions after which the allocator and the stacks of threads hold as much as they ever do.
    private static let warmUp = 150

    /// One request and what it is compared with.
    private enum Kind: CaseIterable {
        case whole, cutOff, cancelled, stopped, grammar, tools, sampled, session
    }

    private let dialogues = PocketModel.dialogues

    @Test("every text is the one that the request gives alone, whatever runs beside it", .timeLimit(.minutes(30)))
    func mixed() async throws {
        let engine = try await PocketModel.engine(context: 4096) { $0.maximumConcurrentSequences = Self.sequences }
        let sessions = try await SessionLoad()
        let count = Self.requested ?? 120
        let memory = Locked(MemoryGrowth())
        if count >= Self.longRun {
            try await Self.each(below: Self.warmUp) { try await sessions.run(count + $0) }
        }
        try await Self.each(below: count) { number in
            try await run(number, on: engine, sessions)
            if number == count / 4 { memory.withLock { $0.noteEarly() } }
        }
        memory.withLock { $0.noteLate() }
        guard Self.requested != nil else { return }
        let growth = memory.withLock(\.self)
        print("\(count) requests, \(growth)")
        if count >= Self.longRun { #expect(growth.ratio <= Self.mostGrowth, "\(growth)") }
    }

    /// Calls `body` with every number below `count`, several at a time.
    private static func each(
        below count: Int, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let next = Locked(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<callers {
                group.addTask {
                    while let number = draw(next, below: count) { try await body(number) }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func draw(_ next: Locked<Int>, below count: Int) -> Int? {
        next.withLock { number in
            guard number < count else { return nil }
            defer { number += 1 }
            return number
        }
    }

    private func run(_ number: Int, on engine: LlamaEngine, _ sessions: SessionLoad) async throws {
        var random = SeededGenerator(seed: UInt64(number))
        let kind = Kind.allCases.randomElement(using: &random) ?? .whole
        let dialogue = dialogues.randomElement(using: &random) ?? dialogues[0]
        var request = dialogue.request
        switch kind {
        case .whole:
            let result = try await engine.stream(request).result()
            #expect(result.rawGeneratedText == dialogue.expected, "\(number)")
        case .cutOff:
            let limit = Int.random(in: 1...12, using: &random)
            request.options.maxOutputTokens = limit
            let text = try await engine.stream(request).result().rawGeneratedText ?? ""
            #expect(dialogue.expected.hasPrefix(text.trimmingSuffix("\u{FFFD}")), "\(number)")
        case .stopped:
            request.options.stopSequences = ["</think>", "1", "is"]
            let text = try await engine.stream(request).result().rawGeneratedText ?? ""
            #expect(dialogue.expected.hasPrefix(text), "\(number)")
        case .grammar:
            request.options.enableThinking = false
            request.options.grammar = "root ::= [0-9]+ \" \" [a-f]+"
            request.options.maxOutputTokens = 24
            let text = try await engine.stream(request).result().finalText
            #expect(text.allSatisfy { $0.isHexDigit || $0 == " " }, "\(number): \(text)")
        case .cancelled: try await cancel(request, after: Int.random(in: 0...6, using: &random), on: engine)
        case .tools: try await call(number, on: engine)
        case .session: try await sessions.run(number)
        case .sampled: try await sample(request, seed: UInt32(number), on: engine)
        }
    }

    /// Leaves the stream early, like a user who closes a window.
    private func cancel(_ request: LLMGenerationRequest, after events: Int, on engine: LlamaEngine) async throws {
        var seen = 0
        for try await _ in engine.stream(request) {
            seen += 1
            if seen > events { break }
        }
    }

    private func call(_ number: Int, on engine: LlamaEngine) async throws {
        let dialogues = PocketModel.toolDialogues
        let dialogue = dialogues[number % dialogues.count]
        let text = Locked("")
        let offer = try #require(try ToolOffer(dialogue.definitions, choice: .auto))
        _ = try await engine.reply(to: dialogue.request, tools: offer) { event in
            if case .completed(let result) = event { text.withLock { $0 = result.rawGeneratedText ?? "" } }
        }
        #expect(text.withLock(\.self) == dialogue.expected, "\(number)")
    }

    /// Another sampler beside the greedy ones; what it draws is not compared.
    private func sample(_ request: LLMGenerationRequest, seed: UInt32, on engine: LlamaEngine) async throws {
        var request = request
        request.options.temperature = 0.8
        request.options.topK = 40
        request.options.seed = seed
        let result = try await engine.stream(request).result()
        #expect(result.seed == seed)
        #expect(result.generatedTokens > 0)
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> Substring {
        var rest = self[...]
        while rest.last == character { rest.removeLast() }
        return rest
    }
}
