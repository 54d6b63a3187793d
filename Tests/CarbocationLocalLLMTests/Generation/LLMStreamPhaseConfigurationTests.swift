import CarbocationLocalLLM
import Foundation
import Testing

@Suite("LLMStreamPhaseConfiguration")
struct LLMStreamPhaseConfigurationTests {
    private static let pair = OutputDelimiterPair(open: "<think>", close: "</think>")

    @Test(
        "GO-3: a configuration is empty if it changes nothing",
        arguments: [
            (LLMStreamPhaseConfiguration.automatic, true),
            (LLMStreamPhaseConfiguration(thinkingPairs: [pair]), false),
            (LLMStreamPhaseConfiguration(finalMarkers: ["<final>"]), false),
            (LLMStreamPhaseConfiguration(startsInThinking: false), false),
            (LLMStreamPhaseConfiguration(thinkingPairs: [OutputDelimiterPair(open: "<a>", close: "")]), true),
            (LLMStreamPhaseConfiguration(finalMarkers: ["", " \n"]), true),
        ])
    func isEmpty(configuration: LLMStreamPhaseConfiguration, expected: Bool) {
        #expect(configuration.isEmpty == expected)
    }

    @Test("GO-3: pairs without a closer and blank markers are ignored")
    func effectiveMarkers() {
        let configuration = LLMStreamPhaseConfiguration(
            thinkingPairs: [OutputDelimiterPair(open: "<a>", close: ""), Self.pair], finalMarkers: [" ", "<final>", ""])
        #expect(configuration.effectiveThinkingPairs == [Self.pair])
        #expect(configuration.effectiveFinalMarkers == ["<final>"])
    }

    @Test("GO-2: missing fields take their defaults")
    func decoding() throws {
        let json = Data(#"{"finalMarkers":["<final>"]}"#.utf8)
        let configuration = try JSONDecoder().decode(LLMStreamPhaseConfiguration.self, from: json)
        #expect(configuration == LLMStreamPhaseConfiguration(finalMarkers: ["<final>"]))
    }

    @Test(
        "GO-2: round trip, with ignored markers too",
        arguments: [
            LLMStreamPhaseConfiguration(),
            LLMStreamPhaseConfiguration(thinkingPairs: [pair], finalMarkers: [" "], startsInThinking: true),
            LLMStreamPhaseConfiguration(thinkingPairs: [OutputDelimiterPair(open: "", close: "")]),
        ])
    func roundTrip(configuration: LLMStreamPhaseConfiguration) throws {
        let data = try JSONEncoder().encode(configuration)
        #expect(try JSONDecoder().decode(LLMStreamPhaseConfiguration.self, from: data) == configuration)
    }
}
