import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("Downloads over real connections", .timeLimit(.minutes(10)))
struct HubDownloadTests {
    private let folder = DownloadFolder()
    private let content = ServerContent.gguf(seed: 5, count: 5 << 20 + 12_345)

    private func hub(_ access: HubRepository.Access = .open) throws -> HubServer {
        var repository = HubRepository(
            "org/model",
            files: [
                HubFile("m-Q4_K_M.gguf", content), HubFile("mmproj-F16.gguf", .gguf(seed: 6, count: 1000)),
                HubFile("README.md", ServerContent("# Model"), isLarge: false),
            ])
        repository.access = access
        return try HubServer([repository])
    }

    private func resolve(_ hub: HubServer, token: String?) async throws -> HuggingFaceResolution {
        let reference = try #require(HuggingFaceModelReference.parse("org/model:q4_k_m", endpoint: hub.endpoint))
        return try await HuggingFaceModelResolver(endpoint: hub.endpoint)
            .resolve(reference, token: token, includesProjector: true)
    }

    private func engine() -> DownloadEngine {
        var engine = DownloadEngine()
        engine.environment.retryDelay = { _, _ in .zero }
        return engine
    }

    private func download(_ resolution: HuggingFaceResolution, token: String?) async throws
        -> HuggingFaceModelDownloadResult
    {
        try await engine().download(
            resolution, root: folder.url, token: token, configuration: DownloadRig.configuration(connections: 6),
            onProgress: { _ in })
    }

    @Test("DL-8, HF-6: the token goes to the endpoint's origin and to no other server")
    func token() async throws {
        let hub = try hub(.gated(accepted: ["hf_secret"]))
        let resolution = try await resolve(hub, token: "hf_secret")
        let result = try await download(resolution, token: " hf_secret\n")
        #expect(result.primarySHA256 == content.sha256)
        #expect(result.artifacts.map(\.relativePath) == ["m-Q4_K_M.gguf", "mmproj-F16.gguf"])
        #expect(try Data(contentsOf: result.artifacts[0].sourceURL) == Data(content.bytes))
        #expect(hub.requests.allSatisfy { $0.header("Authorization") == "Bearer hf_secret" })
        #expect(!hub.storage.requests.isEmpty)
        #expect(hub.storage.requests.allSatisfy { $0.header("Authorization") == nil })
    }

    @Test("D20: without a token, with a bad one, and with one that has no access")
    func refused() async throws {
        let hub = try hub(.gated(accepted: ["hf_good"], valid: ["hf_known"]))
        let resolution = try await resolve(hub, token: nil)
        await #expect(throws: ModelDownloaderError.unauthorized) { try await download(resolution, token: nil) }
        await #expect(throws: ModelDownloaderError.unauthorized) { try await download(resolution, token: "hf_bad") }
        await #expect(throws: ModelDownloaderError.gated) { try await download(resolution, token: "hf_known") }
        #expect(ModelDownloader.listPartials(in: folder.url).isEmpty)
    }

    @Test("DL-7: through every kind of fault the file arrives as it is")
    func faults() async throws {
        let hub = try hub()
        let plan = hub.storage.faults
        plan.inject(.drop(after: 100_000), skipping: 1, times: 3)
        plan.inject(.drop(after: 0, isReset: true), skipping: 4, times: 2)
        plan.inject(.status(503), skipping: 7, times: 2)
        plan.inject(.tooManyRequests(retryAfter: "0"), skipping: 9, times: 1)
        plan.inject(.dropBeforeHead(), skipping: 10, times: 1)
        hub.hub.faults.inject(.status(500), into: .path(endingWith: "m-Q4_K_M.gguf"), skipping: 3, times: 2)
        let result = try await download(try await resolve(hub, token: nil), token: nil)
        #expect(result.primarySHA256 == content.sha256)
    }

    @Test("DL-9: a sign-in page in place of the file")
    func signInPage() async throws {
        let hub = try hub()
        let resolution = try await resolve(hub, token: nil)
        hub.storage.faults.inject(.answer(.html("<!DOCTYPE html><title>Sign in</title>")))
        await #expect(throws: ModelDownloaderError.self) { try await download(resolution, token: nil) }
        #expect(folder.partialNames.isEmpty)
    }

    @Test("DL-17: cancelling stops the bytes")
    func cancel() async throws {
        let hub = try hub()
        let resolution = try await resolve(hub, token: nil)
        let gate = try ServerGate()
        hub.storage.faults.inject(.stall(after: 1000, until: gate), skipping: 2)
        let task = Task { try await download(resolution, token: nil) }
        try await gate.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.open()
        #expect(ModelDownloader.listPartials(in: folder.url).count == 1)
        hub.storage.faults.clear()
        #expect(try await download(resolution, token: nil).primarySHA256 == content.sha256)
    }

    @Test("D21: many requests to one host, each redirected to another, at no more connections than allowed")
    func connections() async throws {
        let hub = try hub()
        let result = try await download(try await resolve(hub, token: nil), token: nil)
        #expect(result.primarySHA256 == content.sha256)
        #expect(hub.storage.connectionCount <= 7)
    }
}
