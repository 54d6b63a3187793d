import Testing

@testable import CarbocationLocalLLM

@Suite("ResponseGuard")
struct ResponseGuardTests {
    private static func request(
        _ method: String = "GET", acceptsCompression: Bool = false, limit: Int64? = nil
    ) -> HTTPRequest {
        HTTPRequest(
            method: method, url: "http://a.test/".url, acceptsCompression: acceptsCompression, maximumBodyBytes: limit)
    }

    /// Runs a response through the checks.
    private static func check(_ request: HTTPRequest, _ head: HTTPResponseHead, body: [Int]) throws {
        var checks = ResponseGuard(request)
        checks.admit(head)
        try checks.checkAnnouncedLength()
        for count in body { try checks.admit(bodyBytes: count) }
        try checks.checkEnd()
    }

    @Test("a response without a head is none")
    func headless() {
        #expect(throws: HTTPTransportError.self) { try ResponseGuard(Self.request()).checkEnd() }
    }

    @Test("DL-7: fewer bytes than announced are an incomplete body")
    func short() throws {
        let head = HTTPResponseHead(status: 200, headers: ["Content-Length": "1000"])
        #expect(throws: HTTPTransportError.incompleteBody) { try Self.check(Self.request(), head, body: [900]) }
        #expect(throws: HTTPTransportError.incompleteBody) { try Self.check(Self.request(), head, body: []) }
        try Self.check(Self.request(), head, body: [900, 100])
    }

    @Test("D08: the length is not that of the body for HEAD, 204, 304, chunks and compression")
    func lengthOfSomethingElse() throws {
        let long: HTTPHeaders = ["Content-Length": "1000"]
        try Self.check(Self.request("HEAD", limit: 10), HTTPResponseHead(status: 200, headers: long), body: [])
        try Self.check(Self.request(limit: 10), HTTPResponseHead(status: 204, headers: long), body: [])
        try Self.check(Self.request(limit: 10), HTTPResponseHead(status: 304, headers: long), body: [])
        var chunked = long
        chunked["Transfer-Encoding"] = "chunked"
        try Self.check(Self.request(limit: 10), HTTPResponseHead(status: 200, headers: chunked), body: [5])
        var gzip = long
        gzip["Content-Encoding"] = "gzip"
        let compressed = Self.request(acceptsCompression: true, limit: 5000)
        try Self.check(compressed, HTTPResponseHead(status: 200, headers: gzip), body: [5000])
    }

    @Test("unreadable lengths announce nothing", arguments: ["", "x", "1e3", "99999999999999999999", "5, 5"])
    func unreadableLength(value: String) throws {
        try Self.check(Self.request(), HTTPResponseHead(status: 200, headers: ["Content-Length": value]), body: [3])
    }

    @Test("the limit holds to the byte, announced or not")
    func limits() throws {
        let plain = HTTPResponseHead(status: 200)
        try Self.check(Self.request(limit: 10), plain, body: [4, 6])
        #expect(throws: HTTPTransportError.bodyTooLarge) {
            try Self.check(Self.request(limit: 10), plain, body: [4, 7])
        }
        let announced = HTTPResponseHead(status: 200, headers: ["Content-Length": "11"])
        #expect(throws: HTTPTransportError.bodyTooLarge) {
            try Self.check(Self.request(limit: 10), announced, body: [])
        }
        #expect(throws: HTTPTransportError.bodyTooLarge) { try Self.check(Self.request(limit: 0), plain, body: [1]) }
    }

    @Test("compressed bodies have a limit of their own")
    func inflation() throws {
        let gzip = HTTPResponseHead(status: 200, headers: ["Content-Encoding": "gzip"])
        let request = Self.request(acceptsCompression: true)
        try Self.check(request, gzip, body: [64 << 20])
        #expect(throws: HTTPTransportError.bodyTooLarge) { try Self.check(request, gzip, body: [64 << 20, 1]) }
        try Self.check(request, HTTPResponseHead(status: 200), body: [64 << 20, 64 << 20])
    }

    @Test(
        "DL-4: a compressed body that was not asked for is refused, except an error's",
        arguments: ["gzip", "br", "GZIP"])
    func unasked(coding: String) throws {
        let headers: HTTPHeaders = ["Content-Encoding": coding]
        for status in [200, 206] {
            #expect(throws: HTTPTransportError.self) {
                try Self.check(Self.request(), HTTPResponseHead(status: status, headers: headers), body: [1])
            }
        }
        try Self.check(Self.request(), HTTPResponseHead(status: 404, headers: headers), body: [1])
        try Self.check(Self.request(), HTTPResponseHead(status: 200, headers: headers), body: [])
    }

    @Test("identity is no compression", arguments: ["identity", "Identity", ""])
    func identity(coding: String) throws {
        let head = HTTPResponseHead(status: 200, headers: ["Content-Encoding": coding, "Content-Length": "3"])
        try Self.check(Self.request(), head, body: [3])
        #expect(throws: HTTPTransportError.incompleteBody) { try Self.check(Self.request(), head, body: [2]) }
    }
}
