import Foundation
import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite struct CompanionRuleTests {
    @Test(
        "ML-17, L01: metadata decides first, the name second",
        arguments: [
            ("m.gguf", "llama", nil, false), ("m.gguf", "llama", "model", false), ("m.gguf", nil, nil, false),
            ("m.gguf", "clip", nil, true), ("m.gguf", "clip", "model", true), ("m.gguf", "llama", "adapter", true),
            ("m.gguf", nil, "imatrix", true), ("mmproj-F16.gguf", nil, nil, true), ("MMPROJ.gguf", "llama", nil, true),
            ("mmproj-like.gguf", "llama", "model", false), ("d/m.imatrix.gguf", nil, nil, true),
            ("mtp-m.gguf", "llama", "model", true), ("d/MTP-m.gguf", nil, nil, true), ("m-mtp-x.gguf", nil, nil, false),
        ] as [(String, String?, String?, Bool)])
    func companions(path: String, architecture: String?, type: String?, expected: Bool) {
        let header = ModelHeader(isGGUF: true, architecture: architecture, generalType: type)
        #expect(CompanionRule.isCompanion(path, header) == expected)
    }

    @Test("projectors are told by their architecture, else by type or name")
    func projectors() {
        #expect(CompanionRule.isProjector("x.gguf", ModelHeader(isGGUF: true, architecture: "clip")))
        #expect(!CompanionRule.isProjector("mmproj.gguf", ModelHeader(isGGUF: true, architecture: "llama")))
        #expect(CompanionRule.isProjector("mmproj.gguf", nil))
        #expect(!CompanionRule.isProjector("x.gguf", nil))
    }
}

@Suite struct ProjectorMatchTests {
    private func match(_ projectors: [String], _ models: [String], for model: String) -> String? {
        func file(_ path: String) -> FoundFile {
            FoundFile(relativePath: path, path: "/" + path, status: FileStatus(kind: .regular, size: 1))
        }
        let locals = models.map { LocalModel(primary: file($0), header: ModelHeader(isGGUF: true)) }
        let chosen = locals.first { $0.primary.relativePath == model }
        return chosen.flatMap {
            ProjectorMatch(projectors: projectors.map(file), models: locals).projector(for: $0)?.relativePath
        }
    }

    @Test("L02: a projector of another model is not paired by lying in the same folder")
    func otherModel() {
        #expect(match(["gemma.mmproj.gguf"], ["qwen.gguf"], for: "qwen.gguf") == nil)
        #expect(match(["mmproj-gemma-3-4b-it-F16.gguf"], ["qwen-Q4_0.gguf"], for: "qwen-Q4_0.gguf") == nil)
    }

    @Test("a projector whose name is part of the model's is paired, the nearest precision first")
    func ownProjector() {
        let models = ["gemma-3-4b-it-Q8_0.gguf", "qwen-Q4_0.gguf"]
        let projectors = ["mmproj-gemma-3-4b-it-F16.gguf", "gemma-3-4b-it-mmproj-Q8_0.gguf", "mmproj-qwen-F16.gguf"]
        #expect(match(projectors, models, for: models[0]) == projectors[1])
        #expect(match(projectors, models, for: models[1]) == projectors[2])
    }

    @Test("a projector without a name goes with the only model there, in all its quantizations")
    func nameless() {
        let one = ["m-Q4_0.gguf", "m-Q8_0.gguf"]
        #expect(match(["mmproj-F16.gguf"], one, for: "m-Q4_0.gguf") == "mmproj-F16.gguf")
        #expect(match(["mmproj-model-f16.gguf"], one, for: "m-Q8_0.gguf") == "mmproj-model-f16.gguf")
        #expect(match(["mmproj-F16.gguf"], one + ["other.gguf"], for: "m-Q4_0.gguf") == nil)
    }
}

@Suite struct LocalModelFilesTests {
    private func models(_ files: [String: GGUFBuilder]) throws -> [[String]] {
        let folder = try ScratchFolder()
        let calls = SystemFileCalls()
        let found = try files.map { name, builder in
            let url = try folder.write(builder, to: name)
            return FoundFile(
                relativePath: name, path: url.path, status: try calls.status(of: url.path, followingLinks: true))
        }
        let candidates = LocalModelFiles(files: found, headers: HeaderTable(calls: calls, known: [:]))
        return candidates.models().map { $0.artifacts.map(\.relativePath) }
    }

    @Test("L01: projector, importance matrix, draft and later parts are no models of their own")
    func companions() throws {
        let listed = try models([
            "mmproj-F16.gguf": .projector, "m.imatrix.gguf": GGUFBuilder(), "mtp-m.gguf": .model(),
            "m-00003-of-00003.gguf": .part(3, of: 3), "m-00002-of-00003.gguf": .part(2, of: 3),
            "m-00001-of-00003.gguf": .part(1, of: 3),
        ])
        #expect(listed == [["m-00001-of-00003.gguf", "m-00002-of-00003.gguf", "m-00003-of-00003.gguf"]])
    }

    @Test("F10, HF-16: only complete splits are models; part 1 of 1 is a whole file")
    func splits() throws {
        let listed = try models([
            "a-00001-of-00002.gguf": .part(1, of: 2), "b-00002-of-00002.gguf": .part(2, of: 2),
            "c-00001-of-00001.gguf": .model(), "d-00000-of-00002.gguf": .model(), "e-00004-of-00003.gguf": .model(),
            "f-99999-of-99999.gguf": .model(), "g.gguf": .part(1, of: 2),
        ])
        #expect(listed == [["c-00001-of-00001.gguf"]])
    }

    @Test("F14: an adapter is no model")
    func adapter() throws {
        #expect(try models(["a.gguf": .model([("general.type", .string("adapter"))])]).isEmpty)
    }
}
