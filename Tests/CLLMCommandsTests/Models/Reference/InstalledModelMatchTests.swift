import CarbocationLocalLLM
import Foundation
import Testing

@testable import CLLMCommands

@Suite struct InstalledModelMatchTests {
    private static func model(
        _ id: String, name: String = "m", repo: String? = nil, file: String? = nil
    ) -> ModelEntry {
        .installed(
            InstalledModel(
                id: UUID(uuidString: id + "-0000-4000-8000-000000000000") ?? UUID(), displayName: name,
                filename: "m.gguf", sizeBytes: 1, hfRepo: repo, hfFilename: file))
    }

    private static let first = model("ABCDEF01", name: "First", repo: "o/r-GGUF", file: "r-Q8_0.gguf")
    private static let second = model("ABCDEF02", name: "Second", repo: "o/r-GGUF", file: "sub/r-Q4_K_M.gguf")
    private static let third = model("00000000", name: "First", repo: "o/other", file: "other-UD-Q4_K_XL.gguf")
    private static let damaged = ModelEntry.damaged(
        DamagedInstalledModel(
            id: UUID(uuidString: "99999999-0000-4000-8000-000000000000") ?? UUID(),
            directory: URL(fileURLWithPath: "/d"), displayName: "Broken", reason: .unreadableMetadata))
    private static let match = InstalledModelMatch(entries: [first, second, third, damaged])

    private static let found: [(text: String, entry: ModelEntry?)] = [
        ("ABCDEF01-0000-4000-8000-000000000000", first),
        ("abcdef01-0000-4000-8000-000000000000", first),
        ("abcdef01", first),
        ("ABCDEF02-", second),
        ("000000", third),
        ("00000", nil),
        ("99999999", damaged),
        ("Broken", damaged),
        ("Second", second),
        ("second", nil),
        ("Secon", nil),
        ("o/r-GGUF", second),
        ("O/R-gguf", second),
        ("o/r-GGUF:Q8_0", first),
        ("o/r-GGUF:q8_0", first),
        ("o/r-GGUF:Q2_K", nil),
        ("o/r-GGUF/r-Q8_0.gguf", first),
        ("o/r-GGUF/r-Q4_K_M.gguf", nil),
        ("hf://o/r-GGUF/sub/r-Q4_K_M.gguf", second),
        ("https://huggingface.co/o/r-GGUF/tree/main/sub", second),
        ("https://huggingface.co/o/r-GGUF/tree/main/su", nil),
        ("o/other", third),
        ("o/other:Q4_K_XL", third),
        ("o/nothing", nil),
        ("", nil),
    ]

    @Test("finds a model by id, unique prefix, exact name and Hub reference", arguments: found)
    func entry(text: String, entry: ModelEntry?) throws {
        #expect(try Self.match.entry(text) == entry)
    }

    @Test("a text that fits several is refused and names them", arguments: ["ABCDEF", "First"])
    func ambiguity(text: String) {
        let error = #expect(throws: CommandFailure.self) { try Self.match.entry(text) }
        #expect(error?.code == .modelAmbiguous)
        #expect(error?.message.hasPrefix("'\(text)' fits 2 installed models") == true)
        #expect(error?.message.contains("ABCDEF01-0000-4000-8000-000000000000 (First)") == true)
    }

    @Test("an id wins over a name that looks like its beginning")
    func order() throws {
        let entries = [Self.first, Self.model("11111111", name: "ABCDEF01")]
        #expect(try InstalledModelMatch(entries: entries).entry("ABCDEF01") == Self.first)
    }
}
