import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("BalancedJSONScanner", .timeLimit(.minutes(10)))
struct BalancedJSONScannerTests {
    private static func value(in text: String, atEnd: Bool) -> String? {
        BalancedJSONScanner.firstValueRange(in: text, atEnd: atEnd).map { String(text[$0]) }
    }

    @Test("JB-1, JB-2: the table", arguments: BalancedJSONSamples.table)
    func table(sample: BalancedJSONSamples.Sample) {
        #expect(Self.value(in: sample.text, atEnd: false) == sample.running)
        #expect(Self.value(in: sample.text, atEnd: true) == sample.end)
    }

    @Test("J02, J03, J06, J07: reported texts", arguments: BalancedJSONSamples.cases)
    func cases(sample: BalancedJSONSamples.Sample) {
        #expect(Self.value(in: sample.text, atEnd: false) == sample.running)
        #expect(Self.value(in: sample.text, atEnd: true) == sample.end)
    }

    @Test("JB-1, JB-2: weak, dropped and incomplete candidates", arguments: BalancedJSONSamples.further)
    func further(sample: BalancedJSONSamples.Sample) {
        #expect(Self.value(in: sample.text, atEnd: false) == sample.running)
        #expect(Self.value(in: sample.text, atEnd: true) == sample.end)
    }

    @Test("J05: trailing commas are no JSON", arguments: ["{\"a\":1,}", "[{\"a\":1},]", "{\"a\":[1,2,],}"])
    func trailingCommas(text: String) {
        let value = Self.value(in: text, atEnd: true)
        #expect(value != text)
        #expect(value == nil || value == "{\"a\":1}")
    }

    @Test("JB-1, JB-2: the value is the same as by the rule's own words")
    func reference() {
        for text in BalancedJSONSamples.scrambled(count: 6_000, longest: 24, seed: 2) {
            for atEnd in [false, true] {
                let expected = BalancedJSONReference.search(text, atEnd: atEnd).value
                let found = BalancedJSONScanner.firstValueRange(in: text, atEnd: atEnd).map { range in
                    text.utf8.distance(
                        from: text.startIndex, to: range.lowerBound)..<text.utf8.distance(
                            from: text.startIndex, to: range.upperBound)
                }
                #expect(found == expected, "\(text.debugDescription), atEnd: \(atEnd)")
            }
        }
    }

    @Test("JB-1: the value is found at its last byte, however the text is cut")
    func chunkings() {
        let samples = BalancedJSONSamples.table + BalancedJSONSamples.cases + BalancedJSONSamples.further
        for sample in samples {
            for chunks in sample.text.unicodeScalars.chunkings() {
                var search = BalancedJSONSearch()
                for chunk in chunks { search.push(String(chunk)) }
                let range = BalancedJSONReference.search(sample.text, atEnd: true).value
                #expect(search.valueAtEnd == range)
                #expect((search.accepted != nil) == (sample.running != nil))
            }
        }
    }

    /// Rereading dropped candidates would take hours; the work itself is counted in the scanner's tests.
    @Test(
        "JB-1: a mebibyte of hostile text gives no value, and soon",
        arguments: ["[", "{\"a\":[", "{\"[", "[\"\\\"[", "{\"a\":\"x } ", "[1,"])
    func linear(unit: String) {
        let text = "x" + String(repeating: unit, count: (1 << 20) / unit.utf8.count)
        #expect(Self.value(in: text, atEnd: true) == nil)
    }
}
