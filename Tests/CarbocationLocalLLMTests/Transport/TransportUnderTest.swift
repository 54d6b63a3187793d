import CarbocationLocalLLM
import TestSupport
import Testing

/// A transport together with something that answers.
struct TransportSite: Sendable {
    let transport: any HTTPTransport
    let faults: FaultPlan
    let server: HTTPTestServer?

    func request(_ path: String = "/file") -> HTTPRequest {
        var request = HTTPRequest(url: server?.url(path) ?? "http://127.0.0.1:9\(path)".url)
        request.timeout = 30
        return request
    }
}

/// The transports to which the contract applies.
enum TransportUnderTest: String, CaseIterable, CustomTestStringConvertible, Sendable {
    /// The one that the package uses here.
    case platform

    /// The one of Apple platforms. Off them it stands on another Foundation, which keeps less of the contract: enough to
    /// try our part of it.
    case urlSession

    /// The one that other tests use instead.
    case inMemory

    /// The transports that keep the whole contract.
    static let exact: [Self] = [.platform, .inMemory]

    var testDescription: String { rawValue }

    func site(_ handler: @escaping HTTPTestServer.Handler) throws -> TransportSite {
        if self == .inMemory {
            let transport = InMemoryTransport(handler: handler)
            return TransportSite(transport: transport, faults: transport.faults, server: nil)
        }
        let server = try HTTPTestServer(handler: handler)
        return TransportSite(transport: makeReal(), faults: server.faults, server: server)
    }

    private func makeReal() -> any HTTPTransport {
        #if canImport(Darwin)
            URLSessionTransport()
        #else
            self == .platform ? CurlTransport(idleTime: 600) : URLSessionTransport()
        #endif
    }
}
