import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CLLMCommands

@Suite(.timeLimit(.minutes(10))) struct PullInterruptionTests {
    private let rig: PullRig
    private let gate: ServerGate

    init() throws {
        rig = try PullRig()
        gate = try ServerGate()
    }

    /// Interrupts a pull whose first chunk is there, and whose second is on its way.
    ///
    /// The first chunk takes two requests: one that finds out the size, and one for the rest of it.
    private func interrupted(isTerminal: Bool) async throws -> ModelsFolder.Outcome {
        rig.hub.storage.faults.inject(.stall(after: 500, until: gate), skipping: 2, times: 1)
        var session = rig.folder.session()
        session.errors = MemoryWriter(isTerminal: isTerminal)
        let pull = Task { [rig, session] in
            await rig.pull(
                [PullRig.repo, "--connections", "1", "--chunk-size", "1048576", "--retries", "0"], session: session)
        }
        try await gate.reached()
        session.interrupt(.interrupt)
        return await pull.value
    }

    @Test("DL-17: Ctrl-C ends with 130, keeps what has arrived, and a second pull goes on from there")
    func resumption() async throws {
        let outcome = try await interrupted(isTerminal: false)
        #expect(outcome.code == 130)
        #expect(outcome.output.isEmpty)
        let note = "cllm: interrupted; what has arrived is kept, and the same command goes on from there\n"
        #expect(outcome.errors == note)
        let partials = try await rig.folder.succeed("models", "partials", "--json").json()
        let partial = try #require(partials.arrayValue?.first)
        #expect(partial.value(forKey: "totalBytes") == .int(rig.weights.count))
        #expect((partial.value(forKey: "bytesOnDisk")?.intValue ?? 0) >= 1 << 20)
        #expect(partial.value(forKey: "hfRepo") == .string(PullRig.repo))
        let before = rig.transfers
        #expect(await rig.pull(PullRig.repo).code == 0)
        let ranges = rig.hub.storage.log.requests.dropFirst(before).compactMap { $0.header("Range") }
        #expect(!ranges.isEmpty)
        #expect(ranges.allSatisfy { !$0.hasPrefix("bytes=0-") })
        #expect(try await rig.folder.succeed("models", "partials", "--json").output == "[]\n")
    }

    @Test("the bar is cleared before the note")
    func terminal() async throws {
        let outcome = try await interrupted(isTerminal: true)
        #expect(outcome.code == 130)
        #expect(outcome.errors.contains("\r\u{1B}[Kcllm: interrupted; what has arrived is kept"))
        #expect(outcome.errors.hasSuffix("goes on from there\n"))
    }

    @Test("what an interrupted pull has left can be discarded")
    func discarding() async throws {
        _ = try await interrupted(isTerminal: false)
        let text = try await rig.folder.succeed("models", "partials").output
        #expect(text.contains("repo-Q4_K_M"))
        let id = try #require(text.split(separator: " ").first.map(String.init))
        #expect(await rig.folder.run("models", "discard", "nothing").code == 1)
        #expect(await rig.folder.run("models", "discard", String(id.prefix(5))).code == 1)
        let outcome = try await rig.folder.succeed("models", "discard", String(id.prefix(10)), "--json")
        #expect(try outcome.json().string(forKey: "id") == id)
        #expect(outcome.errors == "cllm: deleted what was there of repo-Q4_K_M\n")
        #expect(try await rig.folder.succeed("models", "partials").output.isEmpty)
    }
}
