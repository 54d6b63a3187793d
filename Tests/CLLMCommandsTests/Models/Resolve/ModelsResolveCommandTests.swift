import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CLLMCommands

@Suite(.timeLimit(.minutes(10))) struct ModelsResolveCommandTests {
    private func resolve(_ rig: PullRig, _ arguments: String...) async -> ModelsFolder.Outcome {
        let session = rig.folder.session()
        let words = ["models", "resolve", "--endpoint", rig.hub.endpoint.absoluteString] + arguments
        return ModelsFolder.Outcome(code: await session.run(words), session: session)
    }

    @Test("--json has the repository, the commit and the files")
    func json() async throws {
        let rig = try PullRig()
        let outcome = await resolve(rig, PullRig.repo, "--projector", "--json")
        #expect(outcome.code == 0)
        let commit = String(repeating: "c0ffee00", count: 5)
        func file(_ role: LLMJSONValue, _ path: String, _ content: ServerContent) -> LLMJSONValue {
            let url = "\(rig.hub.endpoint.absoluteString)/\(PullRig.repo)/resolve/\(commit)/\(path)"
            return ["role": role, "size": .int(content.count), "sha256": .string(content.sha256), "url": .string(url)]
        }
        #expect(
            try outcome.json() == [
                "repo": .string(PullRig.repo), "revision": "main", "commit": .string(commit),
                "files": [
                    file("primaryModel", "repo-Q4_K_M.gguf", rig.weights),
                    file("mmproj", "mmproj-repo-F16.gguf", rig.projector),
                ],
            ])
        #expect(rig.transfers == 0)
    }

    @Test("text has a line for each file and the sum")
    func text() async throws {
        let rig = try PullRig()
        let lines = await resolve(rig, "\(PullRig.repo):Q8_0").session.output.lines
        #expect(lines.count == 3)
        #expect(lines.first?.hasPrefix("\(PullRig.repo) at main (commit c0ffee00") == true)
        #expect(lines[1].hasPrefix("primaryModel  repo-Q8_0.gguf  "))
        #expect(lines[1].hasSuffix(rig.small.sha256))
        #expect(lines[2].hasSuffix(" in all"))
    }

    @Test("the endpoint may come from HF_ENDPOINT, and the token from HF_TOKEN")
    func environment() async throws {
        let rig = try PullRig { $0.access = .hidden(accepted: ["secret"]) }
        var session = rig.folder.session()
        session.variables = ["HF_ENDPOINT": rig.hub.endpoint.absoluteString]
        #expect(await session.run("models", "resolve", PullRig.repo) == 1)
        #expect(session.errors.text.contains("Sign in") || session.errors.text.contains("token"))
        session.variables["HF_TOKEN"] = "secret"
        #expect(await session.run("models", "resolve", PullRig.repo) == 0)
        session.variables["HF_TOKEN"] = "wrong"
        #expect(await session.run("models", "resolve", PullRig.repo, "--token", "secret") == 0)
        #expect(!session.errors.text.contains("secret"))
        #expect(!session.output.text.contains("secret"))
    }

    @Test("a hub that cannot be reached is told with a remedy")
    func unreachable() async throws {
        let port = try ReservedPort()
        let session = ModelsFolder().session()
        let outcome = ModelsFolder.Outcome(
            code: await session.run(
                "models", "resolve", "--endpoint", "http://127.0.0.1:\(port.number)", PullRig.repo),
            session: session)
        #expect(outcome.code == 1)
        #expect(outcome.errors.hasPrefix("cllm: The server cannot be reached: "))
        #expect(outcome.errors.hasSuffix(". Check the network.\n"))
    }

    @Test("what is not there is told", arguments: ["owner/none", "\(PullRig.repo):Q2_K", "\(PullRig.repo)/no.gguf"])
    func failures(reference: String) async throws {
        let rig = try PullRig()
        let outcome = await resolve(rig, reference)
        #expect(outcome.code == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.session.errors.lines.count == 1)
    }
}
