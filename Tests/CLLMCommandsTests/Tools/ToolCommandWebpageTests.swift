import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Testing

@testable import CLLMCommands

@Suite(.timeLimit(.minutes(10))) struct ToolCommandWebpageTests {
    private static let arguments = #"{"url":"http://127.0.0.1:8731/page"}"#
    private static let page = "<html><head><title>News</title></head><body><p>One</p></body></html>"

    @Test("private hosts and other ports are open if they are allowed")
    func allowed() async throws {
        let fetcher = FakeWebpageFetcher(html: Self.page)
        var session = CommandSession()
        session.webpageFetcher = fetcher
        #expect(await session.run("tool", "load_webpage", Self.arguments, "--allow-private-hosts") == 0)
        #expect(try session.json().value(forKey: "ok") == true)
        #expect(try session.json().value(forKey: "title") == "News")
        #expect(fetcher.configurations.map(\.allowsPrivateAddresses) == [true])
        #expect(fetcher.configurations.map(\.allowedPorts) == [nil])
    }

    @Test("BT-6: they are closed otherwise, and nothing is requested")
    func refused() async throws {
        let fetcher = FakeWebpageFetcher(html: Self.page)
        var session = CommandSession()
        session.webpageFetcher = fetcher
        #expect(await session.run("tool", "load_webpage", Self.arguments) == 0)
        #expect(try session.json().value(forKey: "ok") == false)
        #expect(fetcher.configurations.isEmpty)
    }

    @Test(
        "Ctrl-C ends a tool that takes long, without output",
        arguments: [(.interrupt, 130), (.terminate, 143)] as [(Interruption, Int32)])
    func interruption(signal: Interruption, code: Int32) async {
        let (starts, started) = AsyncStream<Void>.makeStream()
        var session = CommandSession()
        session.webpageFetcher = FakeWebpageFetcher(stalling: started)
        let run = Task { [session] in
            await session.run("tool", "load_webpage", Self.arguments, "--allow-private-hosts")
        }
        for await _ in starts {
            session.interrupt(signal)
            break
        }
        #expect(await run.value == code)
        #expect(session.output.text.isEmpty)
        #expect(session.errors.text.isEmpty)
    }

    @Test("waiting for standard input is given up at once")
    func standardInput() async {
        var session = CommandSession()
        session.input = MemoryReader(bytes: nil)
        session.interrupt(.interrupt)
        #expect(await session.run("tool", "calculate", "-") == 130)
        #expect(session.output.text.isEmpty)
    }
}
