import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite struct LMStudioStoreTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func models() -> [InstalledModel] {
        let calls = SystemFileCalls()
        return LMStudioStore(root: folder.path, calls: calls, headers: HeaderTable(calls: calls, known: [:])).models()
    }

    @Test("ML-19: publisher and repository, folders inside, and the id of the documented text")
    func model() throws {
        try folder.write(.model(), to: "pub/repo/sub/m-Q6_K.gguf")
        let model = try #require(models().first)
        let size = GGUFBuilder.model().data().count
        #expect(model.hfRepo == "pub/repo")
        #expect(model.hfFilename == "sub/m-Q6_K.gguf")
        #expect(model.displayName == "m-Q6_K")
        #expect(model.quantization == "Q6_K")
        #expect(model.source == .imported)
        #expect(model.sha256 == nil)
        #expect(model.id == DeterministicID.uuid("lm-studio|pub/repo/sub/m-Q6_K.gguf|\(size)"))
        #expect(model.weightsURL(in: folder.url).path == folder.path + "/pub/repo/sub/m-Q6_K.gguf")
    }

    @Test("ML-19: split rules are those of everywhere")
    func splits() throws {
        try folder.write(.part(1, of: 2), to: "p/r/m-00001-of-00002.gguf")
        #expect(models().isEmpty)
        try folder.write(.part(2, of: 2), to: "p/r/m-00002-of-00002.gguf")
        #expect(models().map { $0.artifacts.count } == [2])
    }

    @Test("L02: a projector of another model in the same folder is not taken")
    func projectors() throws {
        try folder.write(.model(), to: "p/r/qwen.gguf")
        try folder.write(.projector, to: "p/r/gemma.mmproj.gguf")
        #expect(models().map { $0.artifacts.map(\.relativePath) } == [["qwen.gguf"]])
        try folder.write(.projector, to: "p/r/qwen.mmproj.gguf")
        #expect(models().map { $0.artifacts.map(\.relativePath) } == [["qwen.gguf", "qwen.mmproj.gguf"]])
    }

    @Test("links to folders of models are followed at the two upper levels only, files that dangle are skipped")
    func links() throws {
        let other = try ScratchFolder()
        try other.write(.model(), to: "r/m.gguf")
        try folder.link("linked", to: other.path)
        try folder.link("p/r/loop", to: "..")
        try folder.link("p/r/gone.gguf", to: "nowhere")
        try folder.write(.model(), to: "too-high.gguf")
        #expect(models().map(\.hfRepo) == ["linked/r"])
    }
}
