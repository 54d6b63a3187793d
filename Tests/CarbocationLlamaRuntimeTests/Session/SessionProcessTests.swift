import CarbocationLocalLLM
import Foundation
import Testing

@testable import CarbocationLlamaRuntime

#if os(macOS) || os(Linux)
    /// What a session said in some process.
    private struct SessionRecord: Codable {
        var process = getpid()
        var transcript: [String]
        var turns: [[String]] = []

        /// Takes the turns behind the one that was saved.
        init(_ session: LlamaSession) async throws {
            transcript = await session.transcript.map(\.content)
            let prompts: [(String, GenerationOptions)] = [
                ("What is my name?", .greedy()), ("Count from 2 to 7.", .greedy(thinks: true)),
                ("Say something.", .odd(seed: 3)), ("What is my name?", .greedy()),
            ]
            for (prompt, options) in prompts {
                let result = try await session.generatePhased(prompt: prompt, options: options)
                turns.append(result.gist + ["\(result.cachedPromptTokens)"])
            }
        }
    }

    /// Where a process leaves files for the one that it starts, which knows its parent and nothing else.
    private struct Handover {
        let folder: URL
        var saved: URL { folder.appendingPathComponent("talk.session") }
        var said: URL { folder.appendingPathComponent("said.json") }

        init(from process: pid_t) {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("session-of-\(process)")
        }
    }

    @Suite("Saved sessions in another process", .needsRuntime, .timeLimit(.minutes(10)))
    struct SessionProcessTests {
        @Test("SE-7: a process that has nothing but the file goes on token for token")
        func restored() async throws {
            let handover = Handover(from: getpid())
            try FileManager.default.createDirectory(at: handover.folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: handover.folder) }
            let session = try await SessionModels.session(system: "You are kind.")
            _ = try await session.generatePhased(prompt: "My name is Olekiw.", options: .greedy())
            try await session.save(to: handover.saved)
            await #expect(processExitsWith: .success) {
                let handover = Handover(from: getppid())
                let session = try await SessionModels.restored(handover.saved)
                try await JSONEncoder().encode(SessionRecord(session)).write(to: handover.said)
                await session.unload()
            }
            let here = try await SessionRecord(session)
            let there = try JSONDecoder().decode(SessionRecord.self, from: Data(contentsOf: handover.said))
            #expect(there.process != here.process)
            #expect(there.transcript == here.transcript && here.transcript.count == 3)
            #expect(there.turns == here.turns)
            #expect(there.turns.first?.first?.contains("Olekiw") == true)
            #expect(there.turns.allSatisfy { $0.last != "0" })
        }
    }
#endif
