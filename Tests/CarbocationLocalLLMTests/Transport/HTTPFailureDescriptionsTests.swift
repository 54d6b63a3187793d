import Foundation
import Testing

@testable import CarbocationLocalLLM

@Suite struct HTTPFailureDescriptionsTests {
    private static let transportErrors: [(error: HTTPTransportError, text: String)] = [
        (.invalidRequest("its host is empty"), "The request cannot be sent: its host is empty. Check the address."),
        (.hostNotFound("h.example"), "The server h.example cannot be found. Check its name and the network."),
        (.connection("refused"), "The server cannot be reached: refused. Check the network."),
        (.connection("It is refused."), "The server cannot be reached: It is refused. Check the network."),
        (.tls("expired"), "The connection is not secure: expired. Check the address and this computer's clock."),
        (.timedOut, "The server does not answer. Try again later."),
        (.incompleteBody, "The connection ended early. Try again."),
        (.bodyTooLarge, "The server's answer is too large. Check the address."),
        (.malformedResponse("no status"), "The server's answer cannot be read: no status. Check the address."),
    ]

    @Test("each failure is told with a remedy", arguments: transportErrors)
    func transport(error: HTTPTransportError, text: String) {
        #expect((error as any Error).localizedDescription == text)
    }

    @Test(
        "refused redirects are told without their target, which may hold a secret",
        arguments: [
            .tooMany(limit: 5), .loop("http://h/?secret"), .insecure("http://h/?secret"),
            .unsupportedScheme("secret"), .invalidLocation,
        ] as [HTTPRedirectError])
    func redirects(error: HTTPRedirectError) {
        let text = (error as any Error).localizedDescription
        #expect(text.hasPrefix("The server redirects "))
        #expect(text.hasSuffix("."))
        #expect(!text.contains("secret"))
    }
}
