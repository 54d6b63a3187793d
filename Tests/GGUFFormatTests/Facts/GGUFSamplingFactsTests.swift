import GGUFFormat
import TestSupport
import Testing

@Suite("GGUF sampling values")
struct GGUFSamplingFactsTests {
    typealias Value = GGUFBuilder.Value

    private func sampling(_ keyValues: [(String, Value)]) throws -> GGUFSamplingFacts {
        var builder = GGUFBuilder()
        for (key, value) in keyValues { builder.add("general.sampling.\(key)", value) }
        return try builder.facts().sampling
    }

    @Test("GG-12: all five values")
    func all() throws {
        let sampling = try sampling([
            ("temp", .float32(1)), ("top_p", .float32(0.95)), ("min_p", .float32(0.05)),
            ("penalty_repeat", .float32(1.1)),
            ("top_k", .int32(20)),
        ])
        #expect(sampling.temperature == 1)
        #expect(sampling.topP == 0.95)
        #expect(sampling.minP == 0.05)
        #expect(sampling.repetitionPenalty == 1.1)
        #expect(sampling.topK == 20)
    }

    @Test("GG-12: without keys there are no values")
    func none() throws {
        let sampling = try sampling([("sequence", .string("k;p")), ("xtc_threshold", .float32(0.1))])
        #expect(sampling == (try GGUFBuilder().facts().sampling))
        #expect(sampling.temperature == nil && sampling.topP == nil && sampling.topK == nil)
    }

    @Test(
        "GG-12: the limits of each value",
        arguments: [
            ("temp", .float32(0), true), ("temp", .float32(-0.1), false), ("temp", .float32(.nan), false),
            ("temp", .float64(.infinity), false), ("temp", .uint8(2), true), ("temp", .string("1"), false),
            ("top_p", .float32(0), true), ("top_p", .int32(1), true), ("top_p", .float32(1.01), false),
            ("min_p", .float64(1), true), ("min_p", .float32(-0.5), false), ("min_p", .bool(1), false),
            ("top_k", .int32(0), true), ("top_k", .int32(-1), false), ("top_k", .uint32(2_147_483_647), true),
            ("top_k", .uint32(2_147_483_648), false), ("top_k", .uint64(.max), false), ("top_k", .float32(40), true),
            ("top_k", .float32(40.5), false), ("penalty_repeat", .float32(0), false),
            ("penalty_repeat", .float32(-1), false),
            ("penalty_repeat", .float32(0.01), true), ("penalty_repeat", .int8(1), true),
        ] as [(String, Value, Bool)])
    func limits(key: String, value: Value, isAccepted: Bool) throws {
        let others: [(String, Value)] = [("temp", .float32(0.7)), ("top_k", .int32(9))].filter { $0.0 != key }
        let sampling = try sampling(others + [(key, value)])
        let found: Double? =
            switch key {
            case "temp": sampling.temperature
            case "top_p": sampling.topP
            case "min_p": sampling.minP
            case "top_k": sampling.topK.map(Double.init)
            default: sampling.repetitionPenalty
            }
        #expect((found != nil) == isAccepted)
        if key != "temp" { #expect(sampling.temperature == 0.7, "the others stay") }
        if key != "top_k" { #expect(sampling.topK == 9, "the others stay") }
    }
}
