import Testing

@testable import CarbocationLocalLLM

@Suite("Results of libcurl")
struct CurlFailureTests {
    @Test(
        "result codes become errors",
        arguments: [
            (6, HTTPTransportError.hostNotFound("h.test")), (7, .connection("why")), (18, .incompleteBody),
            (28, .timedOut), (35, .tls("why")), (60, .tls("why")), (77, .tls("why")), (52, .connection("why")),
            (56, .connection("why")), (55, .connection("why")), (5, .connection("why")), (97, .connection("why")),
            (1, .malformedResponse("why")), (8, .malformedResponse("why")), (61, .malformedResponse("why")),
            (3, .invalidRequest("why")), (43, .invalidRequest("why")), (0, .connection("why")),
            (9999, .connection("why")),
        ])
    func mapping(code: Int, error: HTTPTransportError) {
        #expect(HTTPTransportError.curl(code: code, reason: "why", host: "h.test") == error)
    }
}
