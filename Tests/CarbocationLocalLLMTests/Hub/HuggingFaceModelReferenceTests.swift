import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite("HuggingFaceModelReference")
struct HuggingFaceModelReferenceTests {
    private static let hub = "https://huggingface.co/"

    @Test(
        "HF-1: a repository",
        arguments: [
            "owner/repo", "hf.co/owner/repo", "huggingface.co/owner/repo", "https://huggingface.co/owner/repo/",
            "https://huggingface.co/owner/repo", "http://huggingface.co/owner/repo", "https://hf.co/owner/repo",
            "HTTPS://HuggingFace.CO/owner/repo", "https://huggingface.co:443/owner/repo", "hf://owner/repo",
            "  owner/repo\n", "owner/repo:", "https://huggingface.co/owner/repo?library=gguf#files", "owner/repo/",
        ])
    func repository(text: String) {
        #expect(HuggingFaceModelReference.parse(text) == HuggingFaceModelReference(repo: "owner/repo"))
    }

    @Test(
        "HF-1: a quantisation, in upper case",
        arguments: [
            ("owner/repo:q4_k_m", "Q4_K_M"), ("hf.co/owner/repo:Q4_K_M", "Q4_K_M"),
            ("owner/repo:UD-Q8_K_XL", "UD-Q8_K_XL"), ("https://huggingface.co/owner/repo:iq4_xs", "IQ4_XS"),
        ])
    func quantization(text: String, tag: String) {
        #expect(
            HuggingFaceModelReference.parse(text) == HuggingFaceModelReference(repo: "owner/repo", quantization: tag))
    }

    @Test("HF-1: a real repository with a tag")
    func unsloth() {
        #expect(
            HuggingFaceModelReference.parse("unsloth/gemma-4-31B-it-GGUF:UD-Q8_K_XL")
                == HuggingFaceModelReference(repo: "unsloth/gemma-4-31B-it-GGUF", quantization: "UD-Q8_K_XL"))
    }

    @Test(
        "HF-1, D11: a file",
        arguments: [
            ("owner/repo/d/x.gguf", "d/x.gguf", "main"), ("huggingface.co/owner/repo/d/x.GGUF", "d/x.GGUF", "main"),
            ("hf://owner/repo/d/x.gguf", "d/x.gguf", "main"), ("hf://owner/repo@dev/x.gguf", "x.gguf", "dev"),
            ("hf://owner/repo@refs%2Fpr%2F1/x.gguf", "x.gguf", "refs/pr/1"),
            (hub + "owner/repo/resolve/main/d/x.gguf?download=true", "d/x.gguf", "main"),
            (hub + "owner/repo/blob/main/d/x.gguf?download=true", "d/x.gguf", "main"),
            (hub + "owner/repo/raw/main/d/x.gguf", "d/x.gguf", "main"),
            ("https://hf.co/owner/repo/blob/main/d/x.gguf", "d/x.gguf", "main"),
            (hub + "owner/repo/blob/main/d/x.gguf/", "d/x.gguf", "main"),
            (hub + "owner/repo/blob/dev/x.gguf", "x.gguf", "dev"),
            (hub + "owner/repo/resolve/refs%2Fpr%2F1/x.gguf", "x.gguf", "refs/pr/1"),
            ("owner/repo/resolve/main/x.gguf", "x.gguf", "main"),
            (hub + "owner/repo/resolve/main/a%20b.gguf", "a b.gguf", "main"),
            (hub + "owner/repo/resolve/main/resolve/main/x.gguf", "resolve/main/x.gguf", "main"),
        ])
    func file(text: String, path: String, revision: String) {
        #expect(
            HuggingFaceModelReference.parse(text)
                == HuggingFaceModelReference(repo: "owner/repo", file: path, revision: revision))
    }

    @Test(
        "HF-1: the route word is told by its position, so owners and repositories may have its name",
        arguments: [
            (hub + "resolve/main/resolve/dev/x.gguf", "resolve/main", "x.gguf", "dev"),
            (hub + "blob/tree/blob/main/raw/x.gguf", "blob/tree", "raw/x.gguf", "main"),
            ("hf://tree/raw/blob/x.gguf", "tree/raw", "blob/x.gguf", "main"),
        ])
    func position(text: String, repo: String, path: String, revision: String) {
        #expect(
            HuggingFaceModelReference.parse(text)
                == HuggingFaceModelReference(repo: repo, file: path, revision: revision))
    }

    @Test(
        "HF-1: a folder or revision of the file browser",
        arguments: [
            (hub + "o/r/tree/main", nil, "main"), (hub + "o/r/tree/main/UD-Q4_K_XL", "UD-Q4_K_XL", "main"),
            (hub + "o/r/tree/dev/a/b/", "a/b", "dev"), (hub + "o/r/tree/refs%2Fpr%2F2", nil, "refs/pr/2"),
        ] as [(String, String?, String)])
    func folder(text: String, directory: String?, revision: String) {
        #expect(
            HuggingFaceModelReference.parse(text)
                == HuggingFaceModelReference(repo: "o/r", directory: directory, revision: revision))
    }

    @Test(
        "HF-1: what names no model, or another server",
        arguments: [
            "", "   ", "owner", "owner/", "/owner/repo", "owner//repo", "owner/repo/not-a-gguf.txt",
            "owner/repo/too/many/parts", "hf.co/owner", "hf.co", "https://huggingface.co", "https://huggingface.co/o",
            hub + "o/r/blob/main/README.md", hub + "o/r/blob/main", hub + "o/r/resolve", hub + "datasets/o/r",
            hub + "datasets/o/r/resolve/main/x.gguf", hub + "spaces/o/r", hub + "o/r/blob//x.gguf",
            "https://evil-huggingface.co.example/o/r", "https://huggingface.co.example/o/r",
            "https://user@huggingface.co/o/r", "https://user:secret@huggingface.co/o/r", "user@huggingface.co/o/r",
            "ftp://huggingface.co/o/r", "file:///o/r/x.gguf", "https://huggingface.co:8443/o/r",
            "https://example.com/o/r/x.gguf", "hf://o", "o/r:Q4 K", "o/r:Q4/x.gguf", "o/r@dev/x.gguf", "./r", "../r",
            "o/..", "o r/x", "ö/r", "o/r/x.gguf?download=true", "o/r/.gguf",
        ])
    func refused(text: String) {
        #expect(HuggingFaceModelReference.parse(text) == nil)
    }

    @Test(
        "HF-2, D13: paths that lead out of the repository",
        arguments: [
            hub + "o/r/resolve/main/..%2Fx.gguf", hub + "o/r/resolve/main/..%2F..%2Fx.gguf",
            hub + "o/r/resolve/main/../x.gguf", hub + "o/r/resolve/main/a/../../x.gguf",
            hub + "o/r/resolve/main/./x.gguf", hub + "o/r/resolve/main/a//x.gguf", hub + "o/r/resolve/main//abs.gguf",
            hub + "o/r/resolve/main/a%5Cx.gguf", hub + "o/r/resolve/main/%2e%2e/x.gguf",
            hub + "o/r/resolve/main/a%2Fx.gguf", hub + "o/r/resolve/main/x%00.gguf", hub + "o/r/resolve/../x.gguf",
            "o/r/../../x.gguf", "o/r/a/../../x.gguf", "o/r//abs.gguf", #"o/r/C:\x.gguf"#, #"o/r/\\h\s\x.gguf"#,
            #"o/r/a/..\..\x.gguf"#, "o/r/x\u{0}.gguf", "o/r/..%2F..%2Fx.gguf", "hf://o/r/../x.gguf",
            "hf://o/r@../x.gguf", hub + "o/r/tree/main/../x", hub + "o/r/resolve/main/%FF.gguf", "o/r/100%.gguf",
        ])
    func unsafe(text: String) {
        #expect(HuggingFaceModelReference.parse(text) == nil)
    }

    @Test(
        "HF-1: links to the endpoint's host, with its port or the usual one",
        arguments: [
            "http://127.0.0.1:8080/o/r", "127.0.0.1:8080/o/r", "https://127.0.0.1/o/r", "huggingface.co/o/r", "o/r",
        ])
    func endpoint(text: String) throws {
        let endpoint = try #require(URL(string: "http://127.0.0.1:8080"))
        #expect(
            HuggingFaceModelReference.parse(text, endpoint: endpoint)
                == HuggingFaceModelReference(repo: "o/r", endpoint: endpoint))
    }

    @Test("HF-1: another port of the endpoint's host is another server")
    func otherPort() throws {
        let endpoint = try #require(URL(string: "http://127.0.0.1:8080"))
        #expect(HuggingFaceModelReference.parse("http://127.0.0.1:9090/o/r", endpoint: endpoint) == nil)
        #expect(HuggingFaceModelReference.parse("https://huggingface.co:8080/o/r", endpoint: endpoint) == nil)
    }

    @Test("references survive coding, and absent fields get their usual values")
    func coding() throws {
        let reference = HuggingFaceModelReference(repo: "o/r", quantization: "Q8_0", directory: "d", revision: "dev")
        let data = try JSONEncoder().encode(reference)
        #expect(try JSONDecoder().decode(HuggingFaceModelReference.self, from: data) == reference)
        let short = try JSONDecoder().decode(HuggingFaceModelReference.self, from: Data(#"{"repo":"o/r"}"#.utf8))
        #expect(short == HuggingFaceModelReference(repo: "o/r"))
    }
}
