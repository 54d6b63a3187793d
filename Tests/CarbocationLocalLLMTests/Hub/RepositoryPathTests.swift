import CarbocationLocalLLM
import Testing

@Suite("RepositoryPath")
struct RepositoryPathTests {
    @Test(
        "HF-2, D13: unsafe paths are refused",
        arguments: [
            "", "/", "/abs.gguf", "a/", "a//b", ".", "..", "../../x.gguf", "a/../../x.gguf", "a/./b", #"C:\x.gguf"#,
            #"\\h\s\x.gguf"#, #"a/..\..\x.gguf"#, "x\u{0}.gguf",
        ])
    func refused(text: String) {
        #expect(RepositoryPath(text) == nil)
    }

    @Test("HF-2: plain names are kept as they are", arguments: ["x.gguf", "a/b c/…/x.gguf", "..x", "x..", "a/.b"])
    func kept(text: String) {
        #expect(RepositoryPath(text)?.text == text)
    }

    @Test("HF-2: components may not hide a slash")
    func encoded() {
        #expect(RepositoryPath(percentEncoded: ["a%20b", "x.gguf"])?.text == "a b/x.gguf")
        #expect(RepositoryPath(percentEncoded: ["a%2Fb"]) == nil)
        #expect(RepositoryPath(percentEncoded: ["%2e%2e"]) == nil)
        #expect(RepositoryPath(percentEncoded: ["%zz"]) == nil)
        #expect(RepositoryPath(percentEncoded: []) == nil)
    }

    @Test("name, folder and place below a folder")
    func parts() throws {
        let path = try #require(RepositoryPath("a/b/x.GGUF"))
        #expect(path.name == "x.GGUF")
        #expect(path.folder == "a/b")
        #expect(path.isGGUF)
        #expect(path.isBelow("a"))
        #expect(path.isBelow("a/b"))
        #expect(!path.isBelow("a/bb"))
        #expect(!path.isBelow("a/b/x.GGUF"))
        #expect(RepositoryPath("x")?.folder == "")
    }

    @Test(
        "HF-10: percent-encoding",
        arguments: [
            ("a b/x.gguf", "a%20b/x.gguf"), ("x+y&z?#%.gguf", "x%2By%26z%3F%23%25.gguf"), ("ü.gguf", "%C3%BC.gguf"),
            ("A-Z_0.9~x", "A-Z_0.9~x"),
        ])
    func percentEncoded(text: String, expected: String) {
        #expect(RepositoryPath(text)?.percentEncoded == expected)
    }
}
