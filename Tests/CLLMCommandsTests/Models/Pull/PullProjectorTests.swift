import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CLLMCommands

/// `models pull --projector` after the model itself was pulled.
@Suite(.timeLimit(.minutes(10))) struct PullProjectorTests {
    private static let reference = "\(PullRig.repo):Q4_K_M"

    private let rig: PullRig
    /// Large enough for two requests.
    private let projector = ServerContent(
        GGUFBuilder.small(padding: (1 << 20) + 500).adding("general.type", .string("mmproj")).bytes())

    init() throws {
        rig = try PullRig { [projector] repository in
            repository.files[1] = HubFile("mmproj-repo-F16.gguf", projector)
        }
    }

    /// The bytes that the storage has sent of a file.
    private func served(_ content: ServerContent) async throws -> Int64 {
        var bytes: Int64 = 0
        for exchange in rig.hub.storage.log.exchanges where exchange.request.path.hasSuffix(content.sha256) {
            switch try await exchange.ended() {
            case .sent(let count), .cut(let count), .clientClosed(let count): bytes += count
            }
        }
        return bytes
    }

    /// Pulls the model without its projector and returns its id with a line feed.
    private func pullWeights() async throws -> String {
        let outcome = await rig.pull(Self.reference)
        try #require(outcome.code == 0, "\(outcome.errors)")
        return outcome.output
    }

    /// The only model, as `models list --json` shows it.
    private func listed() async throws -> LLMJSONValue {
        let models = try await rig.folder.succeed("models", "list", "--json").json().arrayValue ?? []
        #expect(models.count == 1)
        return try #require(models.first)
    }

    private func expectProjector(of id: String) async throws {
        let model = try await listed()
        #expect(model.string(forKey: "id").map { $0 + "\n" } == id)
        let artifacts = model.array(forKey: "artifacts") ?? []
        #expect(artifacts.map { $0.string(forKey: "role") } == ["primaryModel", "mmproj"])
        #expect(artifacts.map { $0.string(forKey: "relativePath") } == ["repo-Q4_K_M.gguf", "mmproj-repo-F16.gguf"])
        #expect(artifacts.map { $0.string(forKey: "sha256") } == [rig.weights.sha256, projector.sha256])
        #expect(artifacts.map { $0.value(forKey: "sizeBytes") } == [.int(rig.weights.count), .int(projector.count)])
        #expect(model.value(forKey: "sizeBytes") == .int(rig.weights.count + projector.count))
        let folder = rig.folder.root.appendingPathComponent(id.trimmingCharacters(in: .newlines))
        let file = folder.appendingPathComponent("mmproj-repo-F16.gguf")
        #expect(try Data(contentsOf: file) == Data(projector.bytes))
        #expect(try await rig.folder.succeed("models", "partials", "--json").output == "[]\n")
    }

    @Test("only the projector is fetched, and the model keeps its id and all that is stored about it")
    func adding() async throws {
        let id = try await pullWeights()
        let metadata = rig.folder.root.appendingPathComponent("\(id.trimmingCharacters(in: .newlines))/metadata.json")
        var before = try #require(try LLMJSONValue(jsonData: Data(contentsOf: metadata)).objectValue)
        before["futureKey"] = ["kept": true]
        try Data(LLMJSONValue.object(before).jsonString().utf8).write(to: metadata)
        let fetched = try await served(rig.weights)
        let requests = rig.transfers
        let outcome = await rig.pull(Self.reference, "--projector")
        #expect(outcome.code == 0)
        #expect(outcome.output == id)
        #expect(outcome.errors.isEmpty)
        try await expectProjector(of: id)
        #expect(try await served(rig.weights) == fetched)
        #expect(rig.hub.storage.log.requests.dropFirst(requests).allSatisfy { $0.path.hasSuffix(projector.sha256) })
        #expect(try await served(projector) == projector.count)
        var after = try #require(try LLMJSONValue(jsonData: Data(contentsOf: metadata)).objectValue)
        (after["artifacts"], after["sizeBytes"]) = (before["artifacts"], before["sizeBytes"])
        #expect(after == before)
        let again = await rig.pull(Self.reference, "--projector")
        #expect(again.output == id)
        #expect(again.errors == "cllm: repo-Q4_K_M is already installed\n")
        #expect(await rig.pull(Self.reference).output == id)
        #expect(try await served(projector) == projector.count)
    }

    @Test("--json prints the model with its projector")
    func json() async throws {
        _ = try await pullWeights()
        #expect(try await rig.pull(Self.reference, "--projector", "--json").json() == (try await listed()))
    }

    @Test("DL-14a: of several pulls at once one downloads the projector, and all succeed")
    func concurrent() async throws {
        let id = try await pullWeights()
        async let one = rig.pull(Self.reference, "--projector")
        async let two = rig.pull(Self.reference, "--projector")
        async let three = rig.pull(Self.reference)
        #expect(await [one, two, three].map(\.code) == [0, 0, 0])
        #expect(await [one, two, three].map(\.output) == [id, id, id])
        #expect(try await served(projector) == projector.count)
        #expect(try await served(rig.weights) == rig.weights.count)
        try await expectProjector(of: id)
    }

    @Test("DL-14a: pulls with and without the projector that begin at once end with one model")
    func bothAtOnce() async throws {
        async let one = rig.pull(Self.reference)
        async let two = rig.pull(Self.reference, "--projector")
        #expect(await [one, two].map(\.code) == [0, 0])
        #expect(await one.output == two.output)
        #expect(try await served(rig.weights) == rig.weights.count)
        try await expectProjector(of: await two.output)
    }

    @Test("DL-17: an interrupted pull goes on from where it was, and the model can be used all the time")
    func resumption() async throws {
        let id = try await pullWeights()
        let gate = try ServerGate()
        rig.hub.storage.faults.inject(
            .stall(after: 500, until: gate), into: .path(endingWith: projector.sha256), skipping: 2, times: 1)
        let session = rig.folder.session()
        let arguments = [Self.reference, "--projector", "--connections", "1", "--chunk-size", "1048576"]
        let pull = Task { [rig] in await rig.pull(arguments, session: session) }
        try await gate.reached()
        session.interrupt(.interrupt)
        #expect(await pull.value.code == 130)
        #expect(try await listed().array(forKey: "artifacts")?.count == 1)
        let partials = try await rig.folder.succeed("models", "partials", "--json").json().arrayValue
        #expect(partials?.map { $0.value(forKey: "totalBytes") } == [.int(projector.count)])
        let before = rig.transfers
        #expect(await rig.pull(Self.reference, "--projector").output == id)
        let ranges = rig.hub.storage.log.requests.dropFirst(before).compactMap { $0.header("Range") }
        #expect(!ranges.isEmpty)
        #expect(ranges.allSatisfy { !$0.hasPrefix("bytes=0-") })
        try await expectProjector(of: id)
        #expect(try await served(rig.weights) == rig.weights.count)
    }

    @Test("DL-10: a projector that does not arrive or is not the right one leaves the model as it was")
    func failure() async throws {
        let id = try await pullWeights()
        for fault in [ServerFault.status(404), .htmlInsteadOfData] {
            rig.hub.storage.faults.inject(fault, into: .path(endingWith: projector.sha256))
            let outcome = await rig.pull(Self.reference, "--projector", "--retries", "0")
            #expect(outcome.code == 1)
            #expect(outcome.output.isEmpty)
            #expect(outcome.session.errors.lines.count == 1)
            #expect(try await listed().array(forKey: "artifacts")?.count == 1)
            rig.hub.storage.faults.clear()
        }
        #expect(await rig.pull(Self.reference, "--projector").output == id)
        try await expectProjector(of: id)
    }

    @Test("DL-14a: a process that ended with the projector in its place and not listed costs no byte of it")
    func endBeforeListing() async throws {
        struct End: Error {}
        let id = try await pullWeights()
        let reference = HuggingFaceModelReference(
            repo: PullRig.repo, quantization: "Q4_K_M", endpoint: rig.hub.endpoint)
        let resolution = try await HuggingFaceModelResolver(endpoint: rig.hub.endpoint)
            .resolve(reference, includesProjector: true)
        let folder = rig.folder.root.appendingPathComponent(id.trimmingCharacters(in: .newlines))
        await #expect(throws: End.self) {
            try await ModelDownloader.install(
                resolution, root: rig.folder.root, findInstalled: { nil as Int? },
                findMissing: { resolution.projectorAlone },
                install: { download in
                    for artifact in download.artifacts {
                        try FileManager.default.moveItem(
                            at: artifact.sourceURL, to: folder.appendingPathComponent(artifact.relativePath))
                    }
                    throw End()
                })
        }
        #expect(try await listed().array(forKey: "artifacts")?.count == 1)
        let before = rig.transfers
        #expect(await rig.pull(Self.reference, "--projector").output == id)
        #expect(rig.transfers == before)
        try await expectProjector(of: id)
    }

    @Test("a projector that changed on the hub replaces the old one")
    func update() async throws {
        let id = try await pullWeights()
        let old = rig.projector
        rig.hub.update(PullRig.repo) { $0.files[1] = HubFile("mmproj-repo-F16.gguf", old) }
        #expect(await rig.pull(Self.reference, "--projector").output == id)
        rig.hub.update(PullRig.repo) { [projector] in $0.files[1] = HubFile("mmproj-repo-F16.gguf", projector) }
        #expect(await rig.pull(Self.reference, "--projector").output == id)
        try await expectProjector(of: id)
        #expect(try await served(rig.weights) == rig.weights.count)
    }

    @Test("a projector whose hash the hub does not tell is fetched once")
    func unknownHash() async throws {
        let small = rig.projector
        rig.hub.update(PullRig.repo) { $0.files[1] = HubFile("mmproj-repo-F16.gguf", small, isLarge: false) }
        let id = try await pullWeights()
        #expect(await rig.pull(Self.reference, "--projector").output == id)
        let again = await rig.pull(Self.reference, "--projector")
        #expect(again.output == id)
        #expect(again.errors == "cllm: repo-Q4_K_M is already installed\n")
        #expect(try await listed().value(forKey: "sizeBytes") == .int(rig.weights.count + small.count))
    }

    @Test("a cached model of another program is left alone: the whole model is downloaded with its projector")
    func external() async throws {
        let repository = "cache/models--owner--repo-GGUF"
        let blob = "\(repository)/blobs/\(rig.weights.sha256)"
        try rig.folder.write(rig.weights.bytes, to: blob)
        let commit = String(repeating: "c0ffee00", count: 5)
        try rig.folder.write(Array(commit.utf8), to: "\(repository)/refs/main")
        let snapshot = rig.folder.home.appendingPathComponent("\(repository)/snapshots/\(commit)")
        try FileManager.default.createDirectory(at: snapshot, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: snapshot.appendingPathComponent("repo-Q4_K_M.gguf").path,
            withDestinationPath: "../../blobs/\(rig.weights.sha256)")
        func session() -> CommandSession {
            var session = rig.folder.session()
            session.variables = ["HF_HUB_CACHE": rig.folder.home.appendingPathComponent("cache").path]
            return session
        }
        #expect(await rig.pull([Self.reference], session: session()).errors.contains("already installed"))
        #expect(rig.transfers == 0)
        let outcome = await rig.pull([Self.reference, "--projector"], session: session())
        #expect(outcome.code == 0)
        try await expectProjector(of: outcome.output)
        #expect(try FileManager.default.contentsOfDirectory(atPath: snapshot.path) == ["repo-Q4_K_M.gguf"])
    }
}
