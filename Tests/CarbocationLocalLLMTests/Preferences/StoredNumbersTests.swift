import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite("Numbers in preferences")
struct StoredNumbersTests {
    static let values: [(any Sendable, Double?, Int?)] = [
        (0, 0, 0), (12_000, 12_000, 12_000), (-1, -1, -1), (1.9, 1.9, 1), (-1.9, -1.9, -1),
        ("12000", 12_000, 12_000), (" 12000\n", 12_000, 12_000), ("+7", 7, 7), ("1.9", 1.9, 1),
        ("1.2e4", 12_000, 12_000),
        ("9007199254740993", 9_007_199_254_740_992, 9_007_199_254_740_993), (Int.max, 0x1p63, Int.max),
        (1e300, 1e300, nil), ("1e300", 1e300, nil), ("9223372036854775808", 0x1p63, nil),
        ("", nil, nil), ("x", nil, nil), ("0x10", nil, nil), ("inf", nil, nil), ("nan", nil, nil), ("1e400", nil, nil),
        ("12 000", nil, nil), (["1"], nil, nil), (Data("1".utf8), nil, nil),
    ]

    @Test("CP-2: numbers and texts with numbers are read, everything else is not stored", arguments: 0..<values.count)
    func stored(index: Int) {
        let (value, number, integer) = Self.values[index]
        let preferences = ScratchPreferences()
        preferences.set(value, "number")
        #expect(preferences.defaults.storedNumber(forKey: "number") == number)
        #expect(preferences.defaults.storedInteger(forKey: "number") == integer)
        #expect(preferences.defaults.storedInteger(forKey: "missing") == nil)
    }
}
