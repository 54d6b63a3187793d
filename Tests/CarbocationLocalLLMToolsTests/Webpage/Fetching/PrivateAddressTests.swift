import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server of this machine listens in each of these tests, and is not to hear of anybody.
@Suite("Pages of private networks", .timeLimit(.minutes(10)))
struct PrivateAddressTests {
    private let server: HTTPTestServer
    private let open: LLMLoadWebpageTool.Configuration

    init() throws {
        server = try HTTPTestServer { _ in .html("secret") }
        open = LLMLoadWebpageTool.Configuration(timeout: 30, allowedPorts: nil)
    }

    @Test("W03: no spelling of this machine's address is connected to", arguments: WebpageAddressTests.blockedHosts)
    func spellings(host: String) async throws {
        let fetcher = URLSessionWebpageFetcher(resolver: StubResolver.loopback)
        let output = try await load("http://\(host):\(server.port)/", configuration: open, fetcher: fetcher)
        #expect(output.failureCode == "blocked_address")
        #expect(server.connectionCount == 0)
    }

    @Test(
        "W02: names that lead to private addresses, if only one of several",
        arguments: [
            ["10.0.0.5"], ["127.0.0.1"], ["93.184.216.34", "10.0.0.5"], ["127.0.0.1", "93.184.216.34"], ["::1"],
            ["2606:4700::1", "fe80::1"],
            ["::ffff:127.0.0.1"], ["64:ff9b::7f00:1"], ["169.254.169.254"], ["0.0.0.0"], [],
        ])
    func names(addresses: [String]) async throws {
        let resolver = StubResolver(["10.0.0.5.example": addresses])
        let fetcher = URLSessionWebpageFetcher(resolver: resolver)
        let output = try await load("http://10.0.0.5.example:\(server.port)/", configuration: open, fetcher: fetcher)
        #expect(output.failureCode == "blocked_address")
        #expect(resolver.names == ["10.0.0.5.example"])
        #expect(server.connectionCount == 0)
    }

    @Test("W02: a name that changes its mind is looked up once, and asked where it was found then")
    func rebinding() async throws {
        let transport = InMemoryTransport { _ in .html("page") }
        let resolver = StubResolver { _, times in [times == 1 ? .v4(0x5DB8_D822) : .v4(0x7F00_0001)] }
        let fetcher = URLSessionWebpageFetcher(transport: transport, resolver: resolver)
        #expect(try await load("http://a.example/", configuration: open, fetcher: fetcher).pageText == "page")
        #expect(resolver.names.count == 1)
        #expect(transport.requests.map(\.route) == [HTTPRoute(addresses: [.v4(0x5DB8_D822)])])
    }

    @Test("W02: the connection goes to the address that was checked, under the name that was asked for")
    func pinning() async throws {
        let resolver = StubResolver.loopback
        let fetcher = URLSessionWebpageFetcher(resolver: resolver)
        // A name that no resolver but the stub knows.
        let host = "checked.invalid:\(server.port)"
        let output = try await load("http://\(host)/x", configuration: .local(), fetcher: fetcher)
        #expect(output.pageText == "secret")
        #expect(server.requests.map { $0.header("Host") } == [host])
        #expect(resolver.names == ["checked.invalid"])
        // Names are looked up anew for each call, and connections not shared.
        _ = try await load("http://\(host)/y", configuration: .local(), fetcher: fetcher)
        #expect(resolver.names.count == 2)
        #expect(server.connectionCount == 2)
    }

    @Test(
        "W02: each redirect is checked before it is asked",
        arguments: [
            "http://127.0.0.1:PORT/", "http://localhost:PORT/", "http://0x7f000001:PORT/", "http://[::1]:PORT/",
            "//127.0.0.1:PORT/",
            "http://169.254.169.254/", "http://private.example:PORT/", "http://mixed.example:PORT/",
            "http://unknown.example:PORT/", "http://127.1/",
        ])
    func redirects(location: String) async throws {
        let transport = InMemoryTransport { [server] request in
            request.path == "/start" ? .redirect(location.replacing("PORT", with: "\(server.port)")) : .html("wrong")
        }
        let resolver = StubResolver([
            "public.example": ["93.184.216.34"], "private.example": ["127.0.0.1"],
            "mixed.example": ["93.184.216.34", "10.1.1.1"],
        ])
        let fetcher = URLSessionWebpageFetcher(transport: transport, resolver: resolver)
        let output = try await load("http://public.example/start", configuration: open, fetcher: fetcher)
        #expect(output.failureCode == "blocked_address", "\(output.jsonString())")
        #expect(server.connectionCount == 0)
    }

    @Test("W02: a redirect back to the same name is looked up again")
    func everyHop() async throws {
        let transport = InMemoryTransport { $0.path == "/start" ? .redirect("/next") : .html("wrong") }
        let resolver = StubResolver { _, times in [times == 1 ? .v4(0x5DB8_D822) : .v4(0x7F00_0001)] }
        let fetcher = URLSessionWebpageFetcher(transport: transport, resolver: resolver)
        let output = try await load("http://a.example/start", configuration: open, fetcher: fetcher)
        #expect(output.failureCode == "blocked_address")
        #expect(resolver.names == ["a.example", "a.example"])
    }

    @Test(
        "a redirect to another port", arguments: ["http://a.example:22/", "//a.example:6379/", "https://a.example:0/"])
    func ports(location: String) async throws {
        let transport = InMemoryTransport { $0.path == "/start" ? .redirect(location) : .html("wrong") }
        let resolver = StubResolver(["a.example": ["93.184.216.34"]])
        let fetcher = URLSessionWebpageFetcher(transport: transport, resolver: resolver)
        #expect(try await load("http://a.example/start", fetcher: fetcher).failureCode == "blocked_port")
        #expect(resolver.names.count == 1)
    }

    @Test(
        "whoever calls the fetcher itself is guarded as well",
        arguments: ["http://127.0.0.1:PORT/", "file:///etc/hosts", "http://u@127.0.0.1:PORT/"])
    func directly(address: String) async throws {
        let url = try #require(URL(string: address.replacing("PORT", with: "\(server.port)")))
        await #expect(throws: ToolFailure.self) {
            _ = try await URLSessionWebpageFetcher().fetch(URLRequest(url: url), configuration: open)
        }
        #expect(server.connectionCount == 0)
    }

    @Test("the system finds this machine by its name, which is refused by its address")
    func systemResolver() async throws {
        let fetcher = URLSessionWebpageFetcher()
        let blocked = try await load(
            "http://\(ProcessInfo.processInfo.hostName):\(server.port)/", configuration: open, fetcher: fetcher)
        #expect(blocked.failureCode == "blocked_address")
        #expect(server.connectionCount == 0)
        let allowed = try await load("http://localhost:\(server.port)/", configuration: .local(), fetcher: fetcher)
        #expect(allowed.pageText == "secret")
        let unknown = try await load("http://no-such-host.invalid/", configuration: .local(), fetcher: fetcher)
        #expect(unknown.failureCode == "blocked_address")
    }
}
