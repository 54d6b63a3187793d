import GGUFFormat
import Testing

@Suite("Names of quantisations")
struct GGUFQuantizationTests {
    @Test(
        "GG-10: codes of the header, with and without the flag of a guess",
        arguments: [
            (0, "F32"), (1, "F16"), (2, "Q4_0"), (3, "Q4_1"), (7, "Q8_0"), (8, "Q5_0"), (9, "Q5_1"), (10, "Q2_K"),
            (11, "Q3_K_S"), (12, "Q3_K_M"), (13, "Q3_K_L"), (14, "Q4_K_S"), (15, "Q4_K_M"), (16, "Q5_K_S"),
            (17, "Q5_K_M"),
            (18, "Q6_K"), (19, "IQ2_XXS"), (20, "IQ2_XS"), (21, "Q2_K_S"), (22, "IQ3_XS"), (23, "IQ3_XXS"),
            (24, "IQ1_S"),
            (25, "IQ4_NL"), (26, "IQ3_S"), (27, "IQ3_M"), (28, "IQ2_S"), (29, "IQ2_M"), (30, "IQ4_XS"), (31, "IQ1_M"),
            (32, "BF16"), (36, "TQ1_0"), (37, "TQ2_0"), (38, "MXFP4"), (39, "NVFP4"),
        ])
    func codes(code: Int, name: String) {
        #expect(GGUFQuantization.name(fileType: code) == name)
        #expect(GGUFQuantization.name(fileType: code + 1_024) == name)
    }

    @Test("GG-10: other codes have no name", arguments: [-1, 4, 5, 6, 33, 34, 35, 40, 1_000, 2_048, .max, .min])
    func unknownCodes(code: Int) {
        #expect(GGUFQuantization.name(fileType: code) == nil)
    }

    @Test(
        "GG-11: file names",
        arguments: [
            ("x-Q4_K_M.gguf", "Q4_K_M"), ("gemma.q6_k.gguf", "Q6_K"), ("m-q4_0-00001-of-00002.gguf", "Q4_0"),
            ("m-UD-Q8_K_XL.gguf", "Q8_K_XL"), ("m-IQ4_XS.gguf", "IQ4_XS"), ("m-bf16.gguf", "BF16"),
            ("m-F16.gguf", "F16"),
            ("gpt-oss-mxfp4.gguf", "MXFP4"), ("m-TQ1_0.gguf", "TQ1_0"), ("x-instruct.gguf", nil),
        ])
    func fileNames(fileName: String, expected: String?) {
        #expect(GGUFQuantization.name(fileName: fileName) == expected)
    }

    @Test(
        "GG-11: what else looks like a quantisation or does not",
        arguments: [
            ("m-f32.GGUF", "F32"), ("gpt-MXFP4_MOE.gguf", "MXFP4_MOE"), ("m-nvfp4.gguf", "NVFP4"),
            ("m-nvfp4x.gguf", nil),
            ("Q8_0/model-00001-of-00003.gguf", "Q8_0"), ("Q4_0-model-Q5_1.gguf", "Q5_1"), ("m-tq1_0x.gguf", nil),
            ("m_Q4_0.gguf", nil), ("model-Q.gguf", nil), ("model-IQ.gguf", nil), ("q4.gguf", "Q4"), ("iq3_m", "IQ3_M"),
            ("m-F16x.gguf", nil), ("qwen-2.5-7b-instruct.gguf", nil), ("m@Q4_K_S+x.gguf", "Q4_K_S"), ("", nil),
            ("m-i8.gguf", nil), ("m-TQ12.gguf", nil), ("modèle-Q5_K_M.gguf", "Q5_K_M"), ("m-Q٤_0.gguf", nil),
        ])
    func words(fileName: String, expected: String?) {
        #expect(GGUFQuantization.name(fileName: fileName) == expected)
    }
}
