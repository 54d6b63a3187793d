import CarbocationLocalLLM
import Testing

@Suite("ProjectorRule")
struct ProjectorRuleTests {
    @Test("the deepest folder above the model wins, then the nearest precision")
    func deepest() {
        let candidates = [
            "mmproj-Q4_0.gguf", "models/mmproj-Q4_0.gguf", "models/deep/mmproj-F16.gguf",
            "models/deep/mmproj-Q8_0.gguf", "models/deep/child/mmproj-Q4_0.gguf",
        ]
        for order in [candidates, candidates.reversed()] {
            #expect(
                ProjectorRule.projector(for: "models/deep/model-Q4_K_M.gguf", among: order)
                    == "models/deep/mmproj-Q8_0.gguf")
        }
    }

    @Test("a folder whose name only begins the same is another folder")
    func siblingFolder() {
        #expect(ProjectorRule.projector(for: "models-v2/m-Q4_K_M.gguf", among: ["models/mmproj-F16.gguf"]) == nil)
    }

    @Test("no candidates: other suffix, other name, folder below")
    func none() {
        let paths = ["mmproj.txt", "projector-x.gguf", "child/mmproj-F16.gguf"]
        #expect(ProjectorRule.projector(for: "m-Q4_K_M.gguf", among: paths) == nil)
    }

    @Test(
        "precision",
        arguments: [
            ("model.q4_k_m.gguf", ["mmproj-bf16.gguf", "mmproj-f16.gguf", "mmproj-f32.gguf", "mmproj-q8_0.gguf"], 3),
            ("model-F16.gguf", ["mmproj-Q8_0.gguf", "mmproj-BF16.gguf", "mmproj-F32.gguf"], 1),
            ("model.gguf", ["mmproj-F16.gguf", "mmproj-model.gguf"], 1),
            ("m-Q8_0-00001-of-00002.gguf", ["mmproj-F16.gguf", "mmproj-Q8_0.gguf"], 1),
            ("m-Q4_0.gguf", ["first-mmproj-F16.gguf", "second-MMPROJ-f16.GGUF"], 0),
            ("m-Q4_0.gguf", ["mmproj/F16.gguf", "mmproj-99999999999999999999.gguf", "mmproj-Q5_0.gguf"], 2),
        ] as [(String, [String], Int)])
    func precision(primary: String, candidates: [String], chosen: Int) {
        #expect(ProjectorRule.projector(for: primary, among: candidates) == candidates[chosen])
    }

    @Test("a projector that was chosen as the model is not its own projector")
    func itself() {
        #expect(ProjectorRule.projector(for: "mmproj-F16.gguf", among: ["mmproj-F16.gguf"]) == nil)
    }

    @Test(
        "bits of the last tag",
        arguments: [
            ("m-Q4_K_M.gguf", 4), ("m.Q8_0.gguf", 8), ("m-F16.gguf", 16), ("m-BF16.GGUF", 16), ("m-F32.gguf", 32),
            ("m-IQ3_XXS.gguf", 3), ("m.gguf", 0), ("a7b-m.gguf", 0), ("d-Q8/m.gguf", 0),
            ("m-UD-Q6_K_XL-00002-of-00003.gguf", 6), (".gguf", 0),
        ])
    func bits(path: String, expected: Int) {
        #expect(ProjectorRule.bits(path) == expected)
    }
}
