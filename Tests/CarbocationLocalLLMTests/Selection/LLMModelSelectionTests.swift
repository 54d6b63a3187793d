import CarbocationLocalLLM
import Foundation
import Testing

@Suite("LLMModelSelection")
struct LLMModelSelectionTests {
    private static let text = "6F9619FF-8B86-D011-B42D-00C04FC964FF"

    @Test(
        "SV-1: a UUID in any case, with white space around it",
        arguments: [text, text.lowercased(), " \(text)\n", "\t6f9619FF-8b86-D011-b42d-00c04fc964ff"])
    func installed(storageValue: String) throws {
        let selection = try #require(LLMModelSelection(storageValue: storageValue))
        #expect(selection == .installed(try #require(UUID(uuidString: Self.text))))
        #expect(selection.storageValue == Self.text)
    }

    @Test(
        "SV-1: a system model by its raw value",
        arguments: ["system.apple-intelligence", "  system.apple-intelligence "])
    func system(storageValue: String) throws {
        let selection = try #require(LLMModelSelection(storageValue: storageValue))
        #expect(selection == .system(.appleIntelligence))
        #expect(selection.storageValue == "system.apple-intelligence")
    }

    @Test(
        "SV-1: anything else is no selection",
        arguments: [
            "", " ", "not-a-model", "system.unknown", "model.gguf", "System.Apple-Intelligence",
            "6F9619FF-8B86-D011-B42D-00C04FC964F", "{6F9619FF-8B86-D011-B42D-00C04FC964FF}",
        ])
    func refused(storageValue: String) {
        #expect(LLMModelSelection(storageValue: storageValue) == nil)
    }

    @Test("SV-2: the JSON form is the bare storage string")
    func codable() throws {
        let selections: [LLMModelSelection] = [
            .installed(try #require(UUID(uuidString: Self.text))), .system(.appleIntelligence),
        ]
        let data = try JSONEncoder().encode(selections)
        #expect(String(decoding: data, as: UTF8.self) == "[\"\(Self.text)\",\"system.apple-intelligence\"]")
        #expect(try JSONDecoder().decode([LLMModelSelection].self, from: data) == selections)
    }

    @Test("SV-2: an unknown string is a decoding error", arguments: [#"["model.gguf"]"#, "[1]", "[null]"])
    func decodingError(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([LLMModelSelection].self, from: Data(json.utf8))
        }
    }

    @Test("SV-2: an option's id is its selection's storage value")
    func option() {
        let option = LLMSystemModelOption(
            selection: .system(.appleIntelligence), displayName: "Apple Intelligence", subtitle: "On device",
            contextLength: 4096, systemImageName: "apple.logo")
        #expect(option.id == "system.apple-intelligence")
    }
}
