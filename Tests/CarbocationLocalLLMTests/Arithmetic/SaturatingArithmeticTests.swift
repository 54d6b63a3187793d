import CarbocationLocalLLM
import Testing

@Suite("Saturating arithmetic")
struct SaturatingArithmeticTests {
    @Test(
        "sums stay within bounds",
        arguments: [
            (1, 2, 3), (.max, 1, .max), (.max, .max, .max), (.min, -1, .min), (.max, -1, .max - 1), (.min, 1, .min + 1),
        ] as [(Int, Int, Int)])
    func adding(first: Int, second: Int, expected: Int) {
        #expect(first.addingSaturated(second) == expected)
    }

    @Test(
        "differences stay within bounds",
        arguments: [
            (3, 2, 1), (.min, 1, .min), (.min, .max, .min), (.max, -1, .max), (0, .min, .max), (-1, .min, .max),
            (.max, .max, 0),
        ] as [(Int, Int, Int)])
    func subtracting(first: Int, second: Int, expected: Int) {
        #expect(first.subtractingSaturated(second) == expected)
    }

    @Test("unsigned differences stop at 0")
    func unsigned() {
        #expect(UInt8(3).subtractingSaturated(4) == 0)
        #expect(UInt8(250).addingSaturated(10) == 255)
    }
}
