import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite struct InstalledModelTests {
    private let id = UUID()
    private let root = URL(fileURLWithPath: "/models", isDirectory: true)

    private func model(_ change: (inout InstalledModel) -> Void = { _ in }) -> InstalledModel {
        var model = InstalledModel(
            id: id, displayName: "Name", filename: "sub/m-Q4_0.gguf", sizeBytes: 30, contextLength: 4_096,
            quantization: "Q4_0", source: .customHF, hfRepo: "o/r", hfFilename: "sub/m-Q4_0.gguf", sha256: "ab",
            artifacts: [
                InstalledModelArtifact(
                    role: .primaryModel, relativePath: "sub/m-Q4_0.gguf", sizeBytes: 20, sha256: "ab"),
                InstalledModelArtifact(role: .mmproj, relativePath: "mmproj.gguf", sizeBytes: 10),
            ], installedAt: Date(timeIntervalSince1970: 1_700_000_000))
        change(&model)
        return model
    }

    @Test("ML-2: files of a managed model lie in a folder named after the id in upper case")
    func managedPaths() {
        let base = "/models/\(id.uuidString)"
        #expect(model().directory(in: root).path == base)
        #expect(model().weightsURL(in: root).path == base + "/sub/m-Q4_0.gguf")
        #expect(model().metadataURL(in: root).path == base + "/metadata.json")
        #expect(model().artifactURL(role: .mmproj, in: root)?.path == base + "/mmproj.gguf")
        #expect(model().artifactURL(role: .splitModel, in: root) == nil)
        #expect(!model().isReadOnly)
    }

    @Test("an external model lies in its own folder")
    func externalPaths() {
        let external = model {
            $0.storageLocation = InstalledModelStorageLocation(kind: .external, directoryPath: "/cache/snap")
        }
        #expect(external.isReadOnly)
        #expect(external.weightsURL(in: root).path == "/cache/snap/sub/m-Q4_0.gguf")
    }

    @Test("without artifacts the file name leads to the weights")
    func noArtifacts() {
        let bare = InstalledModel(id: id, displayName: "x", filename: "x.gguf", sizeBytes: 1)
        #expect(bare.weightsURL(in: root).path == "/models/\(id.uuidString)/x.gguf")
    }

    @Test(
        "GG-11: the quantization of a file name",
        arguments: [
            ("x-Q4_K_M.gguf", "Q4_K_M"), ("BF16/model.gguf", "BF16"), ("x-instruct.gguf", nil),
        ] as [(String, String?)])
    func quantization(name: String, expected: String?) {
        #expect(InstalledModel.inferQuantization(from: name) == expected)
    }

    @Test("models survive coding with any date strategy, without what the file recommends")
    func roundTrip() throws {
        let sampled = model { $0.samplingDefaults = LLMSamplingDefaults(temperature: 1) }
        let plain = try JSONDecoder().decode(InstalledModel.self, from: JSONEncoder().encode(sampled))
        #expect(plain == model())
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect(try decoder.decode(InstalledModel.self, from: encoder.encode(sampled)) == model())
        #expect(!String(decoding: try encoder.encode(sampled), as: UTF8.self).contains("samplingDefaults"))
    }

    @Test("ML-4: decoding replaces what is missing or of the wrong type")
    func tolerance() throws {
        let text = """
            {"id":"\(id.uuidString)","filename":"m.gguf","sizeBytes":7,"sha256":"abc","contextLength":"many",
             "quantization":[],"source":"somewhere","artifacts":"none","storageLocation":3,"installedAt":{},"new":1}
            """
        let model = try JSONDecoder().decode(InstalledModel.self, from: Data(text.utf8))
        #expect(model.displayName == "m")
        #expect(model.contextLength == 0)
        #expect(model.quantization == nil)
        #expect(model.source == .imported)
        #expect(model.storageLocation == InstalledModelStorageLocation())
        #expect(
            model.artifacts
                == [
                    InstalledModelArtifact(
                        role: .primaryModel, relativePath: "m.gguf", sizeBytes: 7, sha256: "abc")
                ])
    }

    @Test(
        "a model without an id or a name of the weights is a decoding error",
        arguments: [
            "{}", #"{"id":"x","filename":"m.gguf"}"#, #"{"id":"6F9619FF-8B86-D011-B42D-00C04FC964FF"}"#, "[]",
        ])
    func undecodable(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(InstalledModel.self, from: Data(text.utf8))
        }
    }
}
