import TestSupport
import Testing

@Suite("Ports that nobody listens on", .timeLimit(.minutes(10)))
struct ReservedPortTests {
    @Test("whoever is given a port gets another one, and connections are refused")
    func refusal() throws {
        let ports = try (0..<50).map { _ in try ReservedPort() }
        let listeners = try (0..<50).map { _ in try LoopbackListener() }
        #expect(Set(ports.map(\.number) + listeners.map(\.port)).count == 100)
        #expect(!ports.contains { LoopbackListener.takesConnections($0.number) })
    }

    @Test("whoever asks for the very port gets it, and it is reserved again afterwards")
    func sharing() async throws {
        let port = try ReservedPort()
        let server = try HTTPTestServer(port: port.number) { _ in .text("here") }
        #expect(LoopbackListener.takesConnections(port.number))
        server.stop()
        #expect(!LoopbackListener.takesConnections(port.number))
    }
}
