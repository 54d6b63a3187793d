import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite struct ModelImporterTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func request(_ names: [String], displayName: String? = nil) throws -> InstallRequest {
        try ModelImporter(calls: SystemFileCalls())
            .request(for: names.map { folder.place($0) }, displayName: displayName)
    }

    private func places(_ names: [String]) throws -> [String] {
        try request(names).artifacts.map(\.relativePath)
    }

    @Test("ML-11: a file is copied as imported, with its stem as the name")
    func single() throws {
        try folder.write(.model(), to: "My Model-Q4_0.GGUF")
        let request = try request(["My Model-Q4_0.GGUF"])
        #expect(request.displayName == "My Model-Q4_0")
        #expect(request.source == .imported)
        #expect(request.artifacts.map(\.copySource) == [true])
        #expect(try self.request(["My Model-Q4_0.GGUF"], displayName: "X").displayName == "X")
    }

    @Test("F10, ML-11: any part leads to the first, and siblings are found", arguments: 1...3)
    func parts(chosen: Int) throws {
        for part in 1...3 { try folder.write(.part(part, of: 3), to: "m-0000\(part)-of-00003.gguf") }
        let request = try request(["m-0000\(chosen)-of-00003.gguf"])
        #expect(
            request.artifacts.map(\.relativePath)
                == ["m-00001-of-00003.gguf", "m-00002-of-00003.gguf", "m-00003-of-00003.gguf"])
        #expect(request.artifacts.map(\.role) == [.primaryModel, .splitModel, .splitModel])
        #expect(request.displayName == "m")
    }

    @Test("F10, ML-11: a missing part is named")
    func missingPart() throws {
        try folder.write(.part(2, of: 3), to: "m-00002-of-00003.gguf")
        #expect(throws: ModelLibraryError.sourceFileMissing(folder.place("m-00001-of-00003.gguf"))) {
            try request(["m-00002-of-00003.gguf"])
        }
    }

    @Test("parts may be chosen from several folders")
    func scattered() throws {
        try folder.write(.part(1, of: 2), to: "a/m-00001-of-00002.gguf")
        try folder.write(.part(2, of: 2), to: "b/m-00002-of-00002.gguf")
        let request = try request(["b/m-00002-of-00002.gguf", "a/m-00001-of-00002.gguf"])
        #expect(
            request.artifacts.map(\.sourceURL.path)
                == ["a/m-00001", "b/m-00002"].map { folder.path + "/\($0)-of-00002.gguf" })
    }

    @Test("ML-11, ML-17: the first model counts, not a companion before it")
    func companionFirst() throws {
        try folder.write(.projector, to: "vision.gguf")
        try folder.write(.model(), to: "m.gguf")
        try folder.write(.model(), to: "n.gguf")
        try folder.write("{}", to: "config.json")
        let request = try request(["config.json", "vision.gguf", "m.gguf", "n.gguf"])
        #expect(request.artifacts.map(\.relativePath) == ["m.gguf", "vision.gguf"])
        #expect(request.artifacts.map(\.role) == [.primaryModel, .mmproj])
    }

    @Test("ML-11: a chosen projector is kept whatever its name; otherwise a fitting sibling is found")
    func projectors() throws {
        try folder.write(.model(), to: "qwen-Q4_0.gguf")
        try folder.write(.projector, to: "mmproj-qwen-F16.gguf")
        try folder.write(.projector, to: "mmproj-gemma-Q4_0.gguf")
        #expect(try places(["qwen-Q4_0.gguf"]) == ["qwen-Q4_0.gguf", "mmproj-qwen-F16.gguf"])
        #expect(
            try places(["qwen-Q4_0.gguf", "mmproj-gemma-Q4_0.gguf"]) == ["qwen-Q4_0.gguf", "mmproj-gemma-Q4_0.gguf"])
    }

    @Test("L02: a projector of another model in the same folder is not taken")
    func strangers() throws {
        try folder.write(.model(), to: "qwen.gguf")
        try folder.write(.projector, to: "gemma.mmproj.gguf")
        #expect(try places(["qwen.gguf"]) == ["qwen.gguf"])
    }

    @Test("what is no model is refused with the reason")
    func refusals() throws {
        try folder.write(.projector, to: "vision.gguf")
        try folder.write("text", to: "notes.txt")
        try folder.write("text", to: "fake.gguf")
        try folder.makeFolder("folder.gguf")
        try folder.write(.model(), to: "m-00000-of-00003.gguf")
        let cases: [([String], ModelLibraryError)] = [
            ([], .missingPrimaryArtifact), (["vision.gguf"], .missingPrimaryArtifact),
            (["notes.txt"], .notAGGUF("notes.txt")), (["fake.gguf"], .notAGGUF("fake.gguf")),
            (["folder.gguf"], .notAGGUF("folder.gguf")),
            (["none.gguf"], .sourceFileMissing(folder.place("none.gguf"))),
            (["m-00000-of-00003.gguf"], .notAGGUF("m-00000-of-00003.gguf")),
        ]
        for (names, error) in cases {
            #expect(throws: error) { try request(names) }
        }
        let web = try #require(URL(string: "https://example.org/m.gguf"))
        #expect(throws: ModelLibraryError.sourceFileMissing(web)) {
            try ModelImporter(calls: SystemFileCalls()).request(for: [web], displayName: nil)
        }
    }

    @Test("a chosen link is followed")
    func links() throws {
        try folder.write(.model(), to: "real")
        try folder.link("link.gguf", to: "real")
        #expect(try places(["link.gguf"]) == ["link.gguf"])
    }
}
