import CarbocationLocalLLM
import Foundation
import Testing

@Suite("HuggingFaceEndpoint")
struct HuggingFaceEndpointTests {
    @Test(
        "HF-3: HF_ENDPOINT when it is an http or https address",
        arguments: [
            ("https://mirror.example", "https://mirror.example"), (" http://127.0.0.1:80/ ", "http://127.0.0.1:80"),
            ("https://mirror.example/hub//", "https://mirror.example/hub"),
        ])
    func valid(value: String, expected: String) {
        #expect(HuggingFaceEndpoint.current(environment: ["HF_ENDPOINT": value]).absoluteString == expected)
    }

    @Test(
        "HF-3: else the Hub itself",
        arguments: [
            "", "  ", "mirror.example", "ftp://mirror.example", "https://", "https://user:secret@mirror.example",
            "https://mirror.example?x", "https://mirror.example#x", "file:///tmp", "https://a b",
        ])
    func invalid(value: String) {
        #expect(HuggingFaceEndpoint.current(environment: ["HF_ENDPOINT": value]) == HuggingFaceEndpoint.standard)
    }

    @Test("HF-3: without the variable too")
    func unset() {
        #expect(HuggingFaceEndpoint.current(environment: [:]).absoluteString == "https://huggingface.co")
    }
}

@Suite("HuggingFaceURL")
struct HuggingFaceURLTests {
    @Test("HF-3, D11: repository and file of an address")
    func file() throws {
        let found = try #require(HuggingFaceURL.parse("https://huggingface.co/o/r/blob/main/d/x.gguf?download=true"))
        #expect(found.repo == "o/r")
        #expect(found.filename == "d/x.gguf")
    }

    @Test("HF-3: nil without a file", arguments: ["https://huggingface.co/o/r", "o/r:Q4_K_M", "", "x.gguf"])
    func noFile(text: String) {
        #expect(HuggingFaceURL.parse(text) == nil)
    }
}
