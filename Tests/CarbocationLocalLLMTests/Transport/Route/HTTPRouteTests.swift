import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("HTTPTransport, routes", .timeLimit(.minutes(10)))
struct HTTPRouteTests {
    private static let loopback = IPAddress.v4(0x7F00_0001)

    private func request(_ site: TransportSite, host: String = "127.0.0.1", _ addresses: [IPAddress]) throws
        -> HTTPRequest
    {
        let port = try #require(site.server?.port)
        var request = HTTPRequest(url: "http://\(host):\(port)/file".url, timeout: 30)
        request.route = HTTPRoute(addresses: addresses)
        return request
    }

    @Test("a route to the host's own address", arguments: [1, 2])
    func kept(addressCount: Int) async throws {
        let site = try TransportUnderTest.platform.site { _ in .text("hello") }
        let addresses = Array([Self.loopback, .v4(0x7F00_0003)].prefix(addressCount))
        #expect(try await site.transport.record(request(site, addresses)).text == "hello")
    }

    #if !canImport(Darwin)
        @Test("W02: a name leads where the route says, and nowhere else")
        func names() async throws {
            let site = try TransportUnderTest.platform.site { _ in .text("hello") }
            // Nobody listens at the address of version 6, which is tried as well.
            let request = try request(site, host: "somewhere.invalid", [.v6(high: 0, low: 1), Self.loopback])
            let recorder = try await site.transport.record(request)
            #expect(recorder.text == "hello")
            #expect(site.server?.requests.first?.header("Host") == "somewhere.invalid:\(site.server?.port ?? 0)")
        }

        @Test("W02: the host's own address is not connected to unless the route names it", arguments: [0, 1])
        func strayed(addressCount: Int) async throws {
            let site = try TransportUnderTest.platform.site { _ in .text("hello") }
            let request = try request(site, Array([.v4(0x7F00_0002)].prefix(addressCount)))
            await #expect(throws: HTTPTransportError.forbiddenPeer("127.0.0.1")) {
                _ = try await site.transport.record(request)
            }
            #expect(site.server?.connectionCount == 0)
        }

        @Test("W02: a name without addresses leads nowhere")
        func nowhere() async throws {
            let site = try TransportUnderTest.platform.site { _ in .text("hello") }
            let request = try request(site, host: "localhost", [])
            await #expect(throws: HTTPTransportError.self) { _ = try await site.transport.record(request) }
            #expect(site.server?.connectionCount == 0)
        }

        @Test("a host that is an address of version 6 is asked as it is")
        func version6() async throws {
            let port = try ReservedPort()
            var request = HTTPRequest(url: "http://[::1]:\(port.number)/file".url, timeout: 30)
            request.route = HTTPRoute(addresses: [.v6(high: 0, low: 1)])
            let error = await #expect(throws: HTTPTransportError.self) {
                _ = try await CurlTransport().record(request)
            }
            // Nobody listens, which is found out by trying.
            guard case .connection(let reason) = error else { return #expect(error == nil) }
            #expect(reason.contains("connect"))
        }

        @Test("neither connections nor names are shared with other requests")
        func separate() async throws {
            let site = try TransportUnderTest.platform.site { _ in .text("hello") }
            let plain = site.request()
            _ = try await site.transport.record(plain)
            _ = try await site.transport.record(request(site, [Self.loopback]))
            _ = try await site.transport.record(plain)
            #expect(site.server?.requests.map(\.connection) == [1, 2, 1])
            _ = try await site.transport.record(request(site, host: "somewhere.invalid", [Self.loopback]))
            var unrouted = try request(site, host: "somewhere.invalid", [])
            unrouted.route = nil
            await #expect(throws: HTTPTransportError.hostNotFound("somewhere.invalid")) {
                _ = try await site.transport.record(unrouted)
            }
        }
    #endif

    @Test("what the receiver threw is told for a kept route")
    func throwing() async throws {
        let site = try TransportUnderTest.platform.site { _ in .text("hello") }
        let recorder = ResponseRecorder(onHead: { _ in throw ResponseRecorder.Stop() })
        let request = try request(site, [Self.loopback])
        await #expect(throws: ResponseRecorder.Stop()) {
            try await site.transport.perform(request, receiver: recorder)
        }
    }
}
