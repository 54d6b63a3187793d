import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

/// Conversations of sessions, each with weights that others use too, compared with the same conversation alone.
final class SessionLoad: Sendable {
    private static let turns: [(prompt: String, options: GenerationOptions)] = [
        ("My name is Olekiw.", .greedy(thinks: true)), ("What is my name?", .greedy()),
        ("Count from 2 to 7.", .greedy(40)), ("Say something.", .odd(seed: 5)), ("What is my name?", .greedy()),
    ]

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("load-\(UUID().uuidString)")
    /// What a session that nobody disturbs says in each turn.
    private let alone: [[String]]

    init() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let session = try await Self.session()
        var alone: [[String]] = []
        for turn in Self.turns.indices { alone.append(try await Self.say(turn, in: session)) }
        await session.unload()
        self.alone = alone
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// A conversation in which the session is forked, and saved and restored, now and then.
    func run(_ number: Int) async throws {
        var random = SeededGenerator(seed: UInt64(number))
        var session = try await Self.session()
        for turn in 0..<Int.random(in: 2...Self.turns.count, using: &random) {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: session = try await forked(session, saying: turn, keepsCopy: Bool.random(using: &random), number)
            case 1: session = try await restored(session, number)
            default: break
            }
            let said = try await Self.say(turn, in: session)
            #expect(said == alone[turn], "\(number), turn \(turn)")
        }
        await session.unload()
    }

    /// One of a session and its copy, of which the other has gone its own way for a turn.
    private func forked(
        _ session: LlamaSession, saying turn: Int, keepsCopy: Bool, _ number: Int
    ) async throws -> LlamaSession {
        let copy = try await session.fork()
        let (kept, other) = keepsCopy ? (copy, session) : (session, copy)
        let said = try await Self.say(turn, in: other)
        #expect(said == alone[turn], "\(number), turn \(turn) of a fork")
        await other.unload()
        return kept
    }

    private func restored(_ session: LlamaSession, _ number: Int) async throws -> LlamaSession {
        let file = folder.appendingPathComponent("\(number).session")
        defer { try? FileManager.default.removeItem(at: file) }
        try await session.save(to: file)
        await session.unload()
        return try await SessionModels.restored(file)
    }

    private static func session() async throws -> LlamaSession {
        try await SessionModels.session(system: "You are kind.", context: 1024)
    }

    private static func say(_ turn: Int, in session: LlamaSession) async throws -> [String] {
        let (prompt, options) = turns[turn]
        let result = try await session.generatePhased(prompt: prompt, options: options)
        return result.gist + ["\(result.cachedPromptTokens)"]
    }
}
