import GGUFFormat
import TestSupport
import Testing

@Suite("GGUF tensor types")
struct TensorTypeTests {
    @Test("GG-1: the types of the runtime are known, withdrawn numbers are not")
    func known() {
        let withdrawn: Set<UInt32> = [4, 5, 31, 32, 33, 36, 37, 38]
        #expect(Set(TensorType.known.keys) == Set(0...42).subtracting(withdrawn))
        #expect(TensorType.numbered(43) == nil)
        #expect(TensorType.numbered(.max) == nil)
    }

    @Test(
        "a block takes about the bits that its name says",
        arguments: [
            ("F32", 32.0), ("F16", 16), ("BF16", 16), ("Q8_0", 8.5), ("Q6_K", 6.5625), ("Q5_K", 5.5), ("Q4_K", 4.5),
            ("Q4_0", 4.5), ("Q4_1", 5), ("Q3_K", 3.4375), ("Q2_K", 2.625), ("IQ4_XS", 4.25), ("IQ3_XXS", 3.0625),
            ("IQ2_XXS", 2.0625), ("IQ1_S", 1.5625), ("IQ1_M", 1.75), ("TQ1_0", 1.6875), ("TQ2_0", 2.0625),
            ("MXFP4", 4.25), ("NVFP4", 4.5), ("Q1_0", 1.125), ("Q2_0", 2.25),
        ])
    func bitsPerElement(name: String, bits: Double) throws {
        let type = try #require(TensorType.known.values.first { $0.name == name })
        #expect(Double(type.bytes) * 8 / Double(type.elements) == bits)
    }

    @Test("a tensor of every type passes with exactly its bytes", arguments: TensorType.known.keys.sorted())
    func everyType(number: UInt32) throws {
        let type = try #require(TensorType.numbered(number))
        let data = [UInt8](repeating: 0, count: Int(type.bytes) * 6)
        let tensor = GGUFBuilder.Tensor("t", dimensions: [type.elements * 2, 3], type: number, data: data)
        let report = try GGUFBuilder().adding(tensor).check()
        #expect(report.parameterCount == type.elements * 6)
        #expect(report.tensorByteCount == type.bytes * 6)
    }

    @Test("a row that does not fill its blocks is refused", arguments: TensorType.known.keys.sorted())
    func partialRows(number: UInt32) throws {
        let type = try #require(TensorType.numbered(number))
        guard type.elements > 1 else { return }
        let tensor = GGUFBuilder.Tensor(
            "t", dimensions: [type.elements / 2, 2], type: number, data: [UInt8](repeating: 0, count: 1_024))
        let error = readerError { () throws(GGUFReaderError) in try GGUFBuilder().adding(tensor).check() }
        #expect(error?.malformedReason.contains("\"t\" has rows of \(type.elements / 2)") == true)
    }
}
