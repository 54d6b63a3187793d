import CarbocationLocalLLM
import Testing

@Suite("HTTPOrigin")
struct HTTPOriginTests {
    @Test(
        "addresses of one origin",
        arguments: [
            ("http://a.test", "http://A.TEST:80/x?y"), ("https://a.test/", "HTTPS://a.test:443"),
            ("http://[::1]:8080/a", "http://[::1]:8080/b"), ("http://a.test/", "http://user@a.test/"),
        ])
    func equal(first: String, second: String) throws {
        #expect(try #require(HTTPOrigin(first.url)) == #require(HTTPOrigin(second.url)))
    }

    @Test(
        "addresses of different origins",
        arguments: [
            ("http://a.test", "https://a.test"), ("http://a.test", "http://a.test:8080"),
            ("http://a.test", "http://b.test"), ("http://a.test", "http://a.test.evil.test"),
            ("http://a.test", "http://www.a.test"), ("https://a.test", "https://a.test:80"),
        ])
    func different(first: String, second: String) throws {
        #expect(try #require(HTTPOrigin(first.url)) != #require(HTTPOrigin(second.url)))
    }

    @Test(
        "addresses without an origin", arguments: ["file:///x", "ftp://a.test/", "http:///x", "x", "mailto:a@b.test"])
    func none(address: String) {
        #expect(HTTPOrigin(address.url) == nil)
    }

    @Test(
        "HF-6: this machine itself",
        arguments: [
            "http://localhost/", "http://LOCALHOST:8080/", "http://a.localhost", "http://127.0.0.1",
            "http://127.255.0.9:1", "http://[::1]/",
        ])
    func loopback(address: String) throws {
        #expect(try #require(HTTPOrigin(address.url)).isLoopback)
    }

    @Test(
        "HF-6: not this machine",
        arguments: [
            "http://localhost.test/", "http://127.0.0.1.test", "http://notlocalhost", "http://128.0.0.1",
            "http://10.0.0.1",
            "http://127.0.0.1.5/", "http://127.0.0.256", "http://[::2]/",
        ])
    func remote(address: String) throws {
        #expect(HTTPOrigin(address.url)?.isLoopback != true)
    }

    @Test("only https is encrypted")
    func encryption() throws {
        #expect(try #require(HTTPOrigin("https://a.test".url)).isEncrypted)
        #expect(try !#require(HTTPOrigin("http://a.test".url)).isEncrypted)
    }
}
