/// How the elements of a tensor are stored: in blocks of `elements` that take `bytes` each.
package struct TensorType: Sendable, Hashable {
    package let name: String
    package let elements: UInt64
    package let bytes: UInt64

    private init(_ name: String, _ elements: UInt64, _ bytes: UInt64) {
        self.name = name
        self.elements = elements
        self.bytes = bytes
    }

    /// The type that `number` stands for in a tensor table; nil for numbers never given out or withdrawn since.
    package static func numbered(_ number: UInt32) -> TensorType? { known[number] }

    package static let known: [UInt32: TensorType] = [
        0: .init("F32", 1, 4), 1: .init("F16", 1, 2), 30: .init("BF16", 1, 2), 28: .init("F64", 1, 8),
        24: .init("I8", 1, 1), 25: .init("I16", 1, 2), 26: .init("I32", 1, 4), 27: .init("I64", 1, 8),
        2: .init("Q4_0", 32, 18), 3: .init("Q4_1", 32, 20), 6: .init("Q5_0", 32, 22), 7: .init("Q5_1", 32, 24),
        8: .init("Q8_0", 32, 34), 9: .init("Q8_1", 32, 36), 41: .init("Q1_0", 128, 18), 42: .init("Q2_0", 64, 18),
        10: .init("Q2_K", 256, 84), 11: .init("Q3_K", 256, 110), 12: .init("Q4_K", 256, 144),
        13: .init("Q5_K", 256, 176), 14: .init("Q6_K", 256, 210), 15: .init("Q8_K", 256, 292),
        19: .init("IQ1_S", 256, 50), 29: .init("IQ1_M", 256, 56), 16: .init("IQ2_XXS", 256, 66),
        17: .init("IQ2_XS", 256, 74), 22: .init("IQ2_S", 256, 82), 18: .init("IQ3_XXS", 256, 98),
        21: .init("IQ3_S", 256, 110), 20: .init("IQ4_NL", 32, 18), 23: .init("IQ4_XS", 256, 136),
        34: .init("TQ1_0", 256, 54), 35: .init("TQ2_0", 256, 66), 39: .init("MXFP4", 32, 17),
        40: .init("NVFP4", 64, 36),
    ]
}
