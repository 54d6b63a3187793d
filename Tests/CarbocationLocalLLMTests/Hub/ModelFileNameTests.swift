import CarbocationLocalLLM
import Testing

@Suite("ModelFileName")
struct ModelFileNameTests {
    @Test(
        "HF-10: the stem",
        arguments: [
            ("d/m-Q4_K_M.gguf", "m-Q4_K_M"), ("m.GGUF", "m"), ("d/m-00001-of-00003.gguf", "m"), ("m.bin", "m.bin"),
            ("x-00001-of-00001.gguf", "x-00001-of-00001"), (".gguf", ".gguf"),
        ])
    func stem(path: String, expected: String) {
        #expect(ModelFileName.stem(path) == expected)
    }

    @Test(
        "HF-7, HF-9: models by name",
        arguments: [
            ("m.gguf", true), ("d/M.GGUF", true), ("m.gguf.part", false), (".gguf", false), ("mmproj-F16.gguf", false),
            ("m-mmproj.gguf", false), ("mmproj/F16.gguf", false), ("imatrix.gguf", false), ("m.imatrix.gguf", false),
            ("imatrix/m.gguf", true), ("m-00000-of-00002.gguf", false), ("m-00003-of-00002.gguf", false),
            ("m-00001-of-00000.gguf", false), ("m-00001-of-00001.gguf", true), ("m-00002-of-00002.gguf", true),
        ])
    func models(path: String, expected: Bool) {
        #expect(ModelFileName.isModel(path) == expected)
    }
}

@Suite("ModelFileGroup")
struct ModelFileGroupTests {
    @Test("HF-9: parts make one group, ordered by index; groups are ordered by path")
    func groups() {
        let paths = [
            "z.gguf", "s-00003-of-00003.gguf", "s-00001-of-00003.gguf", "mmproj.gguf", "s-00002-of-00003.gguf",
            "a/x-00001-of-00001.gguf", "s-00000-of-00003.gguf", "README.md", "B.gguf",
        ]
        let groups = ModelFileGroup.groups(of: paths)
        #expect(groups.map(\.primary) == ["B.gguf", "a/x-00001-of-00001.gguf", "s-00001-of-00003.gguf", "z.gguf"])
        #expect(
            groups[2].parts == ["s-00001-of-00003.gguf", "s-00002-of-00003.gguf", "s-00003-of-00003.gguf"])
        #expect(groups[1].parts == ["a/x-00001-of-00001.gguf"])
    }

    @Test("HF-9: a group is known by any of its parts")
    func anyPart() {
        #expect(ModelFileGroup(containing: "d/s-00002-of-00002.gguf").primary == "d/s-00001-of-00002.gguf")
    }

    @Test("many names that announce many parts cost nothing until one is chosen", .timeLimit(.minutes(10)))
    func hostile() {
        let paths = (0..<20_000).map { "m\($0)-00001-of-99999.gguf" }
        #expect(ModelFileGroup.groups(of: paths).count == 20_000)
    }
}

@Suite("QuantizationTag")
struct QuantizationTagTests {
    @Test(
        "HF-8: a tag is delimited on both sides, whatever the case",
        arguments: [
            ("q4_k_m", "m-Q4_K_M.gguf", .exact), ("Q4_K_M", "m.q4_k_m.gguf", .exact),
            ("Q4_K_M", "Q4_K_M/m.gguf", .exact), ("Q4_K_M", "Q4_K_M.gguf", .exact),
            ("Q4_K_M", "m_Q4_K_M-00001-of-00002.gguf", .exact), ("Q4_K", "m-Q4_K_M.gguf", nil),
            ("F16", "m-BF16.gguf", nil), ("Q4_0", "m-IQ4_0.gguf", nil), ("Q4_K_XL", "m-UD-Q4_K_XL.gguf", .prefixed),
            ("UD-Q4_K_XL", "m-UD-Q4_K_XL.gguf", .exact), ("Q4_K_XL", "ud-q4_k_xl/m-Q4_K_XL.gguf", .exact),
            ("Q8_0", "m-Q8_0", nil), ("", "m-.gguf", nil), ("Q4_K_M", "Q4_K_M", nil),
        ] as [(String, String, QuantizationTag.Match?)])
    func matches(tag: String, path: String, expected: QuantizationTag.Match?) {
        #expect(QuantizationTag(tag).match(in: path) == expected)
    }

    @Test("HF-8: the tag by itself is preferred over a prefixed one, then the path decides")
    func choice() {
        let tag = QuantizationTag("Q4_K_XL")
        let both = ModelFileGroup.groups(of: ["a-UD-Q4_K_XL.gguf", "b-Q4_K_XL.gguf", "c-Q4_K_XL.gguf"])
        #expect(tag.choose(from: both)?.primary == "b-Q4_K_XL.gguf")
        let prefixed = ModelFileGroup.groups(of: ["b-UD-Q4_K_XL.gguf", "a-UD-Q4_K_XL.gguf", "Q8_0.gguf"])
        #expect(tag.choose(from: prefixed)?.primary == "a-UD-Q4_K_XL.gguf")
        #expect(tag.choose(from: []) == nil)
    }
}

@Suite("SHA256Text")
struct SHA256TextTests {
    private static let digits = String(repeating: "0a", count: 32)

    @Test(
        "D22, DL-10: quotes, weak marks and letter case are normalised",
        arguments: [digits, "\"\(digits)\"", "W/\"\(digits)\"", digits.uppercased(), "sha256:\(digits)"])
    func normalised(text: String) {
        #expect(SHA256Text.normalized(text) == Self.digits)
    }

    @Test(
        "D22: anything else is no SHA-256",
        arguments: [
            String(repeating: "a", count: 40), "", "\"", "W/", String(repeating: "g", count: 64),
            String(repeating: "a", count: 63), String(repeating: "a", count: 65), String(repeating: "٠", count: 64),
        ])
    func refused(text: String) {
        #expect(SHA256Text.normalized(text) == nil)
    }
}
