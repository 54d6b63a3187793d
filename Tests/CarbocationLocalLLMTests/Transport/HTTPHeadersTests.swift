import CarbocationLocalLLM
import Testing

@Suite("HTTPHeaders")
struct HTTPHeadersTests {
    @Test("names compare without regard to case, values keep their order")
    func lookup() {
        var headers: HTTPHeaders = ["Link": "a", "ETag": "\"1\""]
        headers.add("b", for: "LINK")
        #expect(headers["link"] == "a")
        #expect(headers.values(of: "Link") == ["a", "b"])
        #expect(headers["etag"] == "\"1\"")
        #expect(headers["missing"] == nil)
    }

    @Test("setting replaces all values of a name, nil removes them")
    func setting() {
        var headers: HTTPHeaders = ["A": "1", "a": "2", "B": "3"]
        headers["a"] = "4"
        #expect(headers.fields.map(\.value) == ["3", "4"])
        headers["A"] = nil
        #expect(headers.fields.map(\.name) == ["B"])
    }
}
