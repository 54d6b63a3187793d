import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite struct OllamaStoreTests {
    private let folder: ScratchFolder
    private let digest = String(repeating: "1", count: 64)

    init() throws { folder = try ScratchFolder() }

    private func manifest(
        _ path: String, layer: String = "model", digest: String? = nil, _ text: String? = nil
    ) throws {
        let digest = digest ?? self.digest
        let standard = """
            {"schemaVersion":2,"layers":[
             {"mediaType":"application/vnd.ollama.image.license","digest":"sha256:\(String(repeating: "9", count: 64))"},
             {"mediaType":"application/vnd.ollama.image.\(layer)","digest":"sha256:\(digest)","size":5}]}
            """
        try folder.write(text ?? standard, to: "manifests/\(path)")
    }

    private func models() -> [InstalledModel] {
        let calls = SystemFileCalls()
        return OllamaStore(root: folder.path, calls: calls, headers: HeaderTable(calls: calls, known: [:])).models()
    }

    @Test("ML-18: names, hash and weights")
    func model() throws {
        try manifest("registry.ollama.ai/library/llama3/8b-instruct-q4_K_M")
        try manifest("registry.ollama.ai/someone/llama3/latest")
        try folder.write(.model(context: 8_192), to: "blobs/sha256-\(digest)")
        let listed = models()
        #expect(listed.map(\.displayName) == ["llama3:8b-instruct-q4_K_M", "someone/llama3:latest"])
        let first = try #require(listed.first)
        #expect(first.isReadOnly)
        #expect(first.sha256 == digest)
        #expect(first.contextLength == 8_192)
        #expect(first.quantization == "Q4_K_M")
        #expect(first.source == .imported)
        #expect(first.id == DeterministicID.uuid("ollama|llama3:8b-instruct-q4_K_M|\(digest)"))
        #expect(try GGUFMetadataReader.metadata(at: first.weightsURL(in: folder.url)).architecture == "llama")
    }

    @Test("ML-16: the same blob under two names is listed once")
    func sameBlob() throws {
        try manifest("registry.ollama.ai/library/a/1")
        try manifest("registry.ollama.ai/library/a/2")
        try folder.write(.model(), to: "blobs/sha256-\(digest)")
        #expect(DuplicateFilter.distinct(managed: [], external: models()).map(\.displayName) == ["a:1"])
    }

    @Test("ML-18: a missing blob and one without the mark are skipped")
    func badBlobs() throws {
        try manifest("h/library/gone/1")
        #expect(models().isEmpty)
        try folder.write("PK\u{3}\u{4}", to: "blobs/sha256-\(digest)")
        #expect(models().isEmpty)
        try folder.remove("blobs/sha256-\(digest)")
        try folder.write(.projector, to: "blobs/sha256-\(digest)")
        #expect(models().isEmpty)
    }

    @Test("ML-18: manifests without one model layer are skipped", arguments: ["adapter", "projector", "template"])
    func otherLayers(layer: String) throws {
        try folder.write(.model(), to: "blobs/sha256-\(digest)")
        try manifest("h/library/m/1", layer: layer)
        #expect(models().isEmpty)
    }

    @Test(
        "hostile manifests name nothing outside the blobs",
        arguments: [
            "", "[]", "{", #"{"layers":{}}"#, #"{"layers":[{"mediaType":"application/vnd.ollama.image.model"}]}"#,
            #"{"layers":[{"mediaType":"application/vnd.ollama.image.model","digest":"sha256:../../etc/passwd"}]}"#,
            #"{"layers":[{"mediaType":"application/vnd.ollama.image.model","digest":"md5:1"}]}"#,
        ])
    func hostile(text: String) throws {
        try manifest("h/library/m/1", text)
        #expect(models().isEmpty)
    }

    @Test("a manifest that is a link or larger than any manifest is skipped")
    func oddManifests() throws {
        try folder.write(.model(), to: "blobs/sha256-\(digest)")
        try manifest("real")
        try folder.link("manifests/h/library/m/linked", to: "../../../real")
        try manifest("h/library/m/huge", String(repeating: " ", count: OllamaManifest.maximumBytes + 1))
        #expect(models().isEmpty)
    }
}
