import CarbocationLocalLLM
import Foundation
import Testing

@Suite("LocalLLMJSON")
struct LocalLLMJSONTests {
    struct Event: Codable, Equatable {
        var name = "a/b"
        var date = Date(timeIntervalSince1970: 1_767_225_600)
        var list: [Int] = []
    }

    @Test("JS-6: the pretty encoder sorts keys and writes dates as ISO 8601")
    func encoding() throws {
        let json = try LocalLLMJSON.prettyPrintedString(from: Event())
        #expect(try LLMJSONValue(jsonString: json).objectValue?.keys == ["date", "list", "name"])
        #expect(json.hasPrefix("{\n  \"date\" : \"2026-01-01T00:00:00Z\",\n"))
        #expect(json.contains("\"name\" : \"a/b\""))
        #expect(try LocalLLMJSON.makeDecoder().decode(Event.self, from: Data(json.utf8)) == Event())
        #expect(throws: EncodingError.self) { _ = try LocalLLMJSON.prettyPrintedString(from: [Double.nan]) }
    }

    @Test(
        "JS-6: dates are read with and without fraction and offset",
        arguments: [
            ("2026-01-01T00:00:00Z", 1_767_225_600), ("2026-01-01T02:00:00+02:00", 1_767_225_600),
            ("2026-01-01T00:00:00.5Z", 1_767_225_600.5), ("1969-12-31T23:59:59Z", -1),
        ])
    func dates(text: String, seconds: Double) throws {
        let dates = try LocalLLMJSON.makeDecoder().decode([Date].self, from: Data("[\"\(text)\"]".utf8))
        #expect(dates == [Date(timeIntervalSince1970: seconds)])
    }

    @Test("JS-6: what is no date is an error", arguments: ["\"\"", "\"2026\"", "\"yesterday\"", "1767225600", "null"])
    func invalidDates(json: String) {
        #expect(throws: DecodingError.self) {
            _ = try LocalLLMJSON.makeDecoder().decode([Date].self, from: Data("[\(json)]".utf8))
        }
    }
}
