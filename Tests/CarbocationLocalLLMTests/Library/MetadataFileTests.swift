import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite struct MetadataFileTests {
    private let id = UUID(
        uuid: (0x6F, 0x96, 0x19, 0xFF, 0x8B, 0x86, 0xD0, 0x11, 0xB4, 0x2D, 0, 0xC0, 0x4F, 0xC9, 0x64, 0xFF))

    @Test("ML-3: sorted keys, indented, whole seconds with Z, no sampling")
    func text() {
        let model = InstalledModel(
            id: id, displayName: "A/B", filename: "m.gguf", sizeBytes: 5, quantization: "Q4_0", source: .curated,
            hfRepo: "o/r", sha256: "ab",
            artifacts: [
                InstalledModelArtifact(role: .primaryModel, relativePath: "m.gguf", sizeBytes: 5, sha256: "ab")
            ], installedAt: Date(timeIntervalSince1970: 1_700_000_000.75),
            samplingDefaults: LLMSamplingDefaults(temperature: 1))
        let expected = """
            {
              "artifacts": [
                {
                  "relativePath": "m.gguf",
                  "role": "primaryModel",
                  "sha256": "ab",
                  "sizeBytes": 5
                }
              ],
              "contextLength": 0,
              "displayName": "A/B",
              "filename": "m.gguf",
              "hfRepo": "o/r",
              "id": "6F9619FF-8B86-D011-B42D-00C04FC964FF",
              "installedAt": "2023-11-14T22:13:20Z",
              "quantization": "Q4_0",
              "sha256": "ab",
              "sizeBytes": 5,
              "source": "curated",
              "storageLocation": {
                "kind": "managed"
              }
            }

            """
        #expect(String(decoding: MetadataFile.bytes(model), as: UTF8.self) == expected)
    }

    @Test("ML-3: what Foundation writes is read, and the other way round")
    func foundation() throws {
        let model = InstalledModel(
            id: id, displayName: "Größe \"x\"\n", filename: "m.gguf", sizeBytes: 5, contextLength: 3, source: .customHF,
            hfFilename: "m.gguf",
            artifacts: [InstalledModelArtifact(role: .primaryModel, relativePath: "m.gguf", sizeBytes: 5)],
            installedAt: Date(timeIntervalSince1970: 1_700_000_000))
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        #expect(MetadataFile.model(Array(try encoder.encode(model))) == model)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect(try decoder.decode(InstalledModel.self, from: Data(MetadataFile.bytes(model))) == model)
    }

    @Test("ML-4: a description from before there were artifacts has one, with its sha256")
    func oldDescription() {
        let text = #"{"id":"\#(id.uuidString)","displayName":"x","filename":"m.gguf","sizeBytes":9,"sha256":"abc"}"#
        let model = MetadataFile.model(Array(text.utf8))
        #expect(
            model?.artifacts
                == [InstalledModelArtifact(role: .primaryModel, relativePath: "m.gguf", sizeBytes: 9, sha256: "abc")])
    }

    @Test("ML-4: a stored location is never honoured, and nor are sizes that cannot be")
    func hostileFields() {
        let text = """
            {"id":"\(id.uuidString)","filename":"m.gguf","sizeBytes":-5,"contextLength":-7,
             "storageLocation":{"kind":"external","directoryPath":"/etc"},
             "artifacts":[{"role":"primaryModel","relativePath":"m.gguf","sizeBytes":9223372036854775807},
                          {"role":"mmproj","relativePath":"p.gguf","sizeBytes":9223372036854775807},
                          {"role":"poem","relativePath":"x"},{"role":"mmproj"},7]}
            """
        let model = MetadataFile.model(Array(text.utf8))
        #expect(model?.storageLocation == InstalledModelStorageLocation())
        #expect(model?.sizeBytes == .max)
        #expect(model?.contextLength == 0)
        #expect(model?.artifacts.count == 2)
    }

    @Test("artifacts without the weights are completed by the file name")
    func projectorOnly() {
        let text = """
            {"id":"\(id.uuidString)","filename":"m.gguf","sizeBytes":30,"sha256":"ab",
             "artifacts":[{"role":"mmproj","relativePath":"p.gguf","sizeBytes":10}]}
            """
        #expect(
            MetadataFile.model(Array(text.utf8))?.artifacts.first
                == InstalledModelArtifact(role: .primaryModel, relativePath: "m.gguf", sizeBytes: 20, sha256: "ab"))
    }

    @Test(
        "no bytes end the process, whatever they are",
        arguments: [
            "", "{", "[]", "null", "\u{0}", #"{"id":1}"#, String(repeating: "[", count: 100_000),
            #"{"id":"6F9619FF-8B86-D011-B42D-00C04FC964FF","filename":5}"#, "{\"id\":\"\u{FFFD}\"}",
        ])
    func garbage(text: String) {
        #expect(MetadataFile.model(Array(text.utf8)) == nil)
        #expect(MetadataFile.model([0xFF, 0xFE, 0x7B]) == nil)
    }
}

@Suite struct ISO8601TimeTests {
    @Test(
        "times are those of Foundation's formatter",
        arguments: [
            0, 1, -1, 951_782_399, 951_782_400, 951_868_800, 1_709_164_800, 4_102_444_800, -2_208_988_800,
            1_700_000_000,
            -12_219_292_800, 253_402_300_799,
        ])
    func text(seconds: Int) {
        let date = Date(timeIntervalSince1970: Double(seconds))
        let text = ISO8601DateFormatter().string(from: date)
        #expect(ISO8601Time.text(date) == text)
        #expect(ISO8601Time.date(text) == date)
    }

    @Test("fractions are dropped downwards, and times out of range are held")
    func edges() {
        #expect(ISO8601Time.text(Date(timeIntervalSince1970: -0.5)) == "1969-12-31T23:59:59Z")
        #expect(ISO8601Time.date("2023-11-14T22:13:20.987Z") == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(ISO8601Time.text(.distantFuture) <= "9999-12-31T23:59:59Z")
        #expect(ISO8601Time.text(Date(timeIntervalSince1970: 1e18)) == "9999-12-31T23:59:59Z")
        #expect(ISO8601Time.wholeSeconds(Date(timeIntervalSince1970: 1.9)) == Date(timeIntervalSince1970: 1))
    }

    @Test(
        "other texts are no times",
        arguments: [
            "", "2023-11-14", "2023-11-14T22:13:20", "2023-11-14 22:13:20Z", "2023-13-14T22:13:20Z",
            "2023-11-32T22:13:20Z", "2023-11-14T24:13:20Z", "2023-11-14T22:60:20Z", "2023-11-14T22:13:20.Z",
            "2023-11-14T22:13:20.xZ", "2O23-11-14T22:13:20Z", "2023-11-14T22:13:20+01:00Z",
        ])
    func malformed(text: String) {
        #expect(ISO8601Time.date(text) == nil)
    }
}

@Suite struct FolderNameTests {
    @Test(
        "names are read as Foundation reads them",
        arguments: [
            "6F9619FF-8B86-D011-B42D-00C04FC964FF", "6f9619ff-8b86-d011-b42d-00c04fc964ff",
            "00000000-0000-0000-0000-000000000000", "6F9619FF-8B86-D011-B42D-00C04FC964FG",
            "6F9619FF-8B86-D011-B42D-00C04FC964F", "6F9619FF8B86-D011-B42D-00C04FC964FF1", "", ".staging",
            "6F9619FF-8B86-D011-B42D_00C04FC964FF",
        ])
    func parsing(text: String) {
        let expected = UUID(uuidString: text)
        #expect(FolderName(text)?.id == expected)
        #expect(FolderName(text)?.isCanonical == expected.map { $0.uuidString == text })
    }
}
