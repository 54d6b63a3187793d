import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CLLMCommands

@Suite(.timeLimit(.minutes(10))) struct ModelsPullCommandTests {
    private let rig: PullRig

    init() throws { rig = try PullRig() }

    @Test("downloads, verifies and installs, and prints the id")
    func pull() async throws {
        let outcome = await rig.pull(PullRig.repo, "--connections", "2", "--chunk-size", "1048576", "--retries", "1")
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty)
        let id = try #require(UUID(uuidString: outcome.output.trimmingCharacters(in: .newlines))).uuidString
        let list = try await rig.folder.succeed("models", "list", "--json").json()
        let model = try #require(list.arrayValue?.first)
        #expect(model.string(forKey: "id") == id)
        #expect(model.string(forKey: "hfRepo") == PullRig.repo)
        #expect(model.string(forKey: "hfFilename") == "repo-Q4_K_M.gguf")
        #expect(model.string(forKey: "sha256") == rig.weights.sha256)
        #expect(model.string(forKey: "source") == "customHF")
        #expect(try await rig.folder.succeed("models", "partials", "--json").output == "[]\n")
        #expect(try await rig.folder.succeed("models", "show", "\(PullRig.repo):Q4_K_M").code == 0)
    }

    @Test("DL-14a: what is installed with the same content is not fetched again")
    func again() async throws {
        let first = await rig.pull(PullRig.repo)
        let transfers = rig.transfers
        let second = await rig.pull(PullRig.repo, "--json")
        #expect(second.code == 0)
        #expect(try second.json().string(forKey: "id") == first.output.trimmingCharacters(in: .newlines))
        #expect(second.errors == "cllm: repo-Q4_K_M is already installed\n")
        #expect(rig.transfers == transfers)
        #expect(try await rig.folder.ids().count == 1)
    }

    @Test("DL-14a: of several pulls at once one downloads and all succeed")
    func concurrent() async throws {
        async let one = rig.pull("\(PullRig.repo):Q8_0")
        async let two = rig.pull("\(PullRig.repo):Q8_0")
        async let three = rig.pull("\(PullRig.repo):Q8_0")
        let outcomes = await [one, two, three]
        #expect(outcomes.map(\.code) == [0, 0, 0])
        #expect(Set(outcomes.map(\.output)).count == 1)
        #expect(rig.transfers == 1)
        #expect(try await rig.folder.ids().count == 1)
    }

    @Test("--projector brings the projector too, also when the model alone is there, and then counts as installed")
    func projector() async throws {
        #expect(await rig.pull("\(PullRig.repo):Q8_0").code == 0)
        let outcome = await rig.pull("\(PullRig.repo):Q8_0", "--projector", "--json")
        let roles = try outcome.json().array(forKey: "artifacts")?.compactMap { $0.string(forKey: "role") }
        #expect(roles == ["primaryModel", "mmproj"])
        let transfers = rig.transfers
        #expect(await rig.pull("\(PullRig.repo):Q8_0", "--projector").code == 0)
        #expect(rig.transfers == transfers)
    }

    @Test("--sha256 is checked before anything is fetched when the hub tells the hash")
    func expectedHash() async throws {
        let wrong = String(repeating: "ab", count: 32)
        let refused = await rig.pull(PullRig.repo, "--sha256", wrong)
        #expect(refused.code == 1)
        #expect(refused.errors.contains(wrong))
        #expect(rig.transfers == 0)
        #expect(await rig.pull(PullRig.repo, "--sha256", rig.weights.sha256.uppercased()).code == 0)
    }

    @Test("--sha256 is checked against the file when the hub tells no hash")
    func hashOfSmallFile() async throws {
        rig.hub.update(PullRig.repo) { $0.files = [HubFile("repo-Q8_0.gguf", rig.small, isLarge: false)] }
        let wrong = await rig.pull(PullRig.repo, "--sha256", String(repeating: "ab", count: 32))
        #expect(wrong.code == 1)
        #expect(wrong.errors.contains("SHA-256"))
        #expect(await rig.pull(PullRig.repo, "--sha256", rig.small.sha256).code == 0)
        let again = await rig.pull(PullRig.repo, "--sha256", rig.small.sha256)
        #expect(again.errors.contains("already installed"))
    }

    @Test("a token opens what is gated, and is never shown")
    func token() async throws {
        rig.hub.update(PullRig.repo) { $0.access = .gated(accepted: ["secret"], valid: ["other"]) }
        for arguments in [[], ["--token", "other"]] {
            let outcome = await rig.pull([PullRig.repo] + arguments)
            #expect(outcome.code == 1)
            #expect(outcome.session.errors.lines.count == 1)
        }
        let outcome = await rig.pull(PullRig.repo, "--token", "secret", "--verbose")
        #expect(outcome.code == 0)
        #expect(!outcome.errors.contains("secret"))
        #expect(rig.hub.storage.log.requests.allSatisfy { $0.header("Authorization") == nil })
    }

    @Test("a file that is no model is refused and leaves nothing installed")
    func notAModel() async throws {
        rig.hub.storage.faults.inject(.htmlInsteadOfData)
        let outcome = await rig.pull(PullRig.repo, "--retries", "0")
        #expect(outcome.code == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.session.errors.lines.count == 1)
        #expect(try await rig.folder.ids().isEmpty)
    }

    @Test("a terminal shows a bar that is cleared at the end, and --quiet shows nothing", arguments: [false, true])
    func terminal(isQuiet: Bool) async throws {
        var session = rig.folder.session()
        session.errors = MemoryWriter(isTerminal: true)
        #expect(await rig.pull([PullRig.repo] + (isQuiet ? ["--quiet"] : []), session: session).code == 0)
        if isQuiet { return #expect(session.errors.text.isEmpty) }
        #expect(session.errors.text.contains("cllm: downloading repo-Q4_K_M\n"))
        #expect(session.errors.text.contains("100%"))
        #expect(session.errors.text.hasSuffix("\r\u{1B}[K"))
        #expect(UUID(uuidString: session.output.text.trimmingCharacters(in: .newlines)) != nil)
    }
}
