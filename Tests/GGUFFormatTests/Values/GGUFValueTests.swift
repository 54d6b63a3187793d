import GGUFFormat
import TestSupport
import Testing

@Suite("GGUF values")
struct GGUFValueTests {
    @Test("GG-4: all 13 types have a number and a size, and no 14th has")
    func types() {
        #expect(GGUFValueType.allCases.count == 13)
        #expect(GGUFValueType.allCases.map(\.rawValue) == Array(0...12))
        #expect(GGUFValueType(rawValue: 13) == nil)
        #expect(GGUFValueType.allCases.map(\.fixedSize) == [1, 1, 2, 2, 4, 4, 4, 1, nil, nil, 8, 8, 8])
    }

    @Test(
        "integers of every width are integers",
        arguments: [
            (GGUFValue.uint8(5), 5), (.int8(-5), -5), (.uint16(65_535), 65_535), (.int16(-2), -2),
            (.uint32(.max), 4_294_967_295), (.int32(-7), -7), (.uint64(9), 9), (.int64(.min), Int.min),
        ])
    func integers(value: GGUFValue, expected: Int) {
        #expect(value.integer == expected)
    }

    @Test(
        "what is not an integer has no integer",
        arguments: [
            GGUFValue.uint64(.max), .float32(1), .float64(1), .bool(true), .string("1"),
            .array(GGUFArray(elementType: .uint8, count: 0, offset: 0, elements: [])),
        ])
    func notIntegers(value: GGUFValue) {
        #expect(value.integer == nil)
        #expect(value.wideInteger == nil)
    }

    @Test("narrow integers are not wide ones", arguments: [GGUFValue.uint8(5), .int8(5), .uint16(5), .int16(5)])
    func narrow(value: GGUFValue) {
        #expect(value.integer == 5)
        #expect(value.wideInteger == nil)
    }

    @Test(
        "GG-12: a 32-bit float keeps its decimal form",
        arguments: [
            (GGUFValue.float32(0.95), 0.95), (.float32(1.1), 1.1), (.float32(0.05), 0.05), (.float32(1e-20), 1e-20),
            (.float64(0.3), 0.3), (.int32(20), 20),
        ])
    func finite(value: GGUFValue, expected: Double) {
        #expect(value.finiteNumber == expected)
    }

    @Test(
        "numbers that are not finite are none",
        arguments: [
            GGUFValue.float32(.nan), .float32(.infinity), .float64(-.infinity), .float64(.nan), .bool(true),
            .string("1"),
        ])
    func notFinite(value: GGUFValue) {
        #expect(value.finiteNumber == nil)
    }

    @Test("strings come from arrays of strings whose elements were kept")
    func strings() {
        let kept = GGUFArray(elementType: .string, count: 1, offset: 0, elements: [.string("a")])
        let skipped = GGUFArray(elementType: .string, count: 1, offset: 0, elements: nil)
        let numbers = GGUFArray(elementType: .uint8, count: 1, offset: 0, elements: [.uint8(1)])
        #expect(GGUFValue.array(kept).strings == ["a"])
        #expect(GGUFValue.array(skipped).strings == nil)
        #expect(GGUFValue.array(numbers).strings == nil)
        #expect(GGUFValue.string("a").strings == nil)
    }
}
