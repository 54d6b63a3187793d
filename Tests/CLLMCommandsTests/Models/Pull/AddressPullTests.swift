import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CLLMCommands

@Suite(.timeLimit(.minutes(10))) struct AddressPullTests {
    private let folder = ModelsFolder()
    private let content = ServerContent(GGUFBuilder.small(padding: 100).bytes())
    private let server: HTTPTestServer

    init() throws {
        server = try HTTPTestServer(resources: ["/files/my-Q8_0.gguf": ServerResource(content)])
    }

    private var address: String { server.url.absoluteString + "/files/my-Q8_0.gguf" }

    @Test("a plain address is downloaded and installed under its file name")
    func pull() async throws {
        var session = folder.session()
        session.variables = ["HF_TOKEN": "secret"]
        #expect(await session.run("models", "pull", address, "--json") == 0)
        let model = try session.json()
        #expect(model.string(forKey: "displayName") == "my-Q8_0")
        #expect(model.string(forKey: "filename") == "my-Q8_0.gguf")
        #expect(model.string(forKey: "sha256") == content.sha256)
        #expect(model.string(forKey: "source") == "imported")
        #expect(model.value(forKey: "hfRepo") == .null)
        #expect(server.log.requests.allSatisfy { $0.header("Authorization") == nil })
    }

    @Test("--token goes to the address")
    func token() async throws {
        try await folder.succeed("models", "pull", address, "--token", "given")
        #expect(server.log.requests.allSatisfy { $0.header("Authorization") == "Bearer given" })
    }

    @Test("--sha256 is checked, and a model of that content is not fetched again")
    func hash() async throws {
        let wrong = await folder.run("models", "pull", address, "--sha256", String(repeating: "ab", count: 32))
        #expect(wrong.code == 1)
        #expect(try await folder.ids().isEmpty)
        try await folder.succeed("models", "pull", address, "--sha256", content.sha256)
        let count = server.log.requests.count
        let again = try await folder.succeed("models", "pull", address, "--sha256", content.sha256)
        #expect(again.errors == "cllm: my-Q8_0 is already installed\n")
        #expect(server.log.requests.count == count)
    }

    @Test("one part of a model is refused before anything is fetched")
    func part() async throws {
        let outcome = await folder.run("models", "pull", server.url.absoluteString + "/m-00001-of-00002.gguf")
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("is one part of a model"))
        #expect(server.log.requests.isEmpty)
    }

    @Test(
        "only http and https addresses of model files are taken",
        arguments: [
            ("https://host/a/m.gguf", true), ("http://host/m.GGUF?download=1", true), ("ftp://host/m.gguf", false),
            ("file:///m.gguf", false), ("https://host/mmproj-m.gguf", false), ("https://host/m.bin", false),
            ("https:///m.gguf", false), ("m.gguf", false),
        ])
    func addresses(text: String, isTaken: Bool) {
        #expect((AddressPull.address(text) != nil) == isTaken)
    }
}
