import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("load_webpage")
struct LLMLoadWebpageToolTests {
    static let example =
        "<title>Example Page</title><body>Hello <script>document.write(1)</script>Readable text.</body>"

    @Test("BT-5: the result of a page")
    func result() async throws {
        let fetcher = FixtureFetcher(html: Self.example)
        let output = try await load("https://example.com/page", fetcher: fetcher)
        #expect(
            output == [
                "ok": true, "url": "https://example.com/page", "final_url": "https://example.com/page",
                "status_code": 200, "mime_type": "text/html", "title": "Example Page", "text": "Hello Readable text.",
                "truncated": false, "bytes_read": .int(Int64(Self.example.utf8.count)),
            ])
        #expect(
            output.objectValue?.keys == [
                "ok", "url", "final_url", "status_code", "mime_type", "title", "text", "truncated", "bytes_read",
            ])
    }

    @Test("BT-8: a long page is cut to exactly as many characters as allowed", arguments: [0, 1000, 1234])
    func characterLimit(limit: Int) async throws {
        let fetcher = FixtureFetcher(
            html: "<p>" + String(repeating: "wörd \u{1F468}\u{200D}\u{1F469} e\u{301} ", count: 400))
        let output = try await load(
            "https://example.com/", configuration: .init(maximumOutputCharacters: limit), fetcher: fetcher)
        #expect(output.pageText?.count == max(limit, 1000))
        #expect(output.isTruncated == true)
    }

    @Test("BT-5: the request is a plain GET for the address as it was given")
    func request() async throws {
        let fetcher = FixtureFetcher(html: "")
        _ = try await load(
            "  https:\\/\\/www.bing.com\\/search?q=S%26P+500\n", configuration: .init(timeout: 3), fetcher: fetcher)
        let request = try #require(fetcher.requests.first)
        #expect(request.url?.absoluteString == "https://www.bing.com/search?q=S%26P+500")
        #expect(request.httpMethod == "GET")
        #expect(request.httpBody == nil)
        #expect(request.timeoutInterval == 3)
        #expect(request.value(forHTTPHeaderField: "Authorization") == nil)
        #expect(request.value(forHTTPHeaderField: "Cookie") == nil)
    }

    @Test(
        "BT-1: arguments without an address",
        arguments: [
            [:], ["url": 1], ["url": .null], ["url": ["https://a/"]], "https://a/", .null, ["uri": "https://a/"],
        ]
            as [LLMJSONValue])
    func missingAddress(arguments: LLMJSONValue) async throws {
        let fetcher = FixtureFetcher(html: "")
        let output = try await LLMLoadWebpageTool.load(arguments: arguments, fetcher: fetcher)
        #expect(output.failureCode == "invalid_arguments")
        #expect(fetcher.requests.isEmpty)
    }

    @Test("BT-5: statuses that tell of an error", arguments: [100, 304, 302, 400, 404, 500, 999, -1, Int.max])
    func statuses(status: Int) async throws {
        let output = try await load("https://example.com/", fetcher: FixtureFetcher("x".utf8, status: status))
        #expect(output.failureCode == "http_status")
        #expect(output.failureMessage.contains("\(status)"))
    }

    @Test("BT-5: no status counts as success")
    func noStatus() async throws {
        let output = try await load("https://example.com/", fetcher: FixtureFetcher("x".utf8, status: nil))
        #expect(output.pageText == "x")
        #expect(output.objectValue?["status_code"] == .null)
    }

    @Test("a fetcher's error is told, in brief")
    func failingFetcher() async throws {
        struct Broken: LocalizedError {
            var errorDescription: String? { "The line is cut. " + String(repeating: "x", count: 10_000) }
        }
        let output = try await load("https://example.com/", fetcher: FixtureFetcher { _ in throw Broken() })
        #expect(output.failureCode == "webpage_load_failed")
        #expect(output.failureMessage.contains("The line is cut."))
        #expect(output.failureMessage.count < 500)
    }

    @Test("a fetcher that gives up by itself fails, although it says cancelled")
    func selfCancelled() async throws {
        let output = try await load("https://example.com/", fetcher: FixtureFetcher { _ in throw CancellationError() })
        #expect(output.failureCode == "webpage_load_failed")
    }

    @Test("BT-7: a fetcher that gives more bytes than allowed is cut")
    func byteLimit() async throws {
        let fetcher = FixtureFetcher(String(repeating: "a", count: 5000).utf8, type: "text/plain")
        let output = try await load("https://example.com/", configuration: .init(maximumBytes: 0), fetcher: fetcher)
        #expect(output.bytesRead == 1024)
        #expect(output.pageText == String(repeating: "a", count: 1024))
        #expect(output.isTruncated == true)
    }

    @Test(
        "BT-6: where a fetcher ended up is checked",
        arguments: [
            ("ftp://x/", "unsupported_redirect"), ("file:///etc/hosts", "unsupported_redirect"),
            ("https:///redirect", "unsupported_redirect"), ("http://u:p@example.com/", "unsupported_redirect"),
            ("http://169.254.169.254/", "blocked_address"), ("http://localhost/", "blocked_address"),
            ("http://example.com:22/", "blocked_port"), ("https://example.org/b", nil),
        ])
    func finalAddress(final: String, code: String?) async throws {
        let fetcher = FixtureFetcher { _ in
            LLMWebpageFetchResponse(data: Data("x".utf8), finalURL: URL(string: final), contentType: "text/html")
        }
        let output = try await load("https://example.com/", fetcher: fetcher)
        #expect(output.failureCode == code)
        if code == nil { #expect(output.string(forKey: "final_url") == final) }
    }

    @Test("a fetcher without end is given up, and stops when the task is cancelled", .timeLimit(.minutes(10)))
    func timeout() async throws {
        let fetcher = FixtureFetcher { _ in
            // Takes no notice of being cancelled.
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            return LLMWebpageFetchResponse(data: Data(), finalURL: nil)
        }
        let output = try await load("https://example.com/", configuration: .init(timeout: 0), fetcher: fetcher)
        #expect(output.failureCode == "webpage_load_failed")
        #expect(output.failureMessage.contains("1 second"))
        let task = Task { try await load("https://example.com/", fetcher: fetcher) }
        while fetcher.requests.count < 2 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("BT-8: limits are raised to those of use, whenever they are set")
    func limits() {
        var configuration = LLMLoadWebpageTool.Configuration(
            timeout: -1, maximumBytes: 1, maximumOutputCharacters: -5, maximumRedirects: -1)
        #expect(configuration.timeout == 1)
        #expect(configuration.maximumBytes == 1024)
        #expect(configuration.maximumOutputCharacters == 1000)
        #expect(configuration.maximumRedirects == 0)
        configuration.timeout = .nan
        configuration.maximumBytes = .min
        configuration.maximumOutputCharacters = 999
        configuration.maximumRedirects = .min
        #expect(
            configuration
                == .init(timeout: 1, maximumBytes: 1024, maximumOutputCharacters: 1000, maximumRedirects: 0))
        configuration.timeout = .infinity
        #expect(configuration.timeout == 86_400)
        configuration = .init()
        #expect(configuration.timeout == 15)
        #expect(configuration.maximumBytes == 1_000_000)
        #expect(configuration.maximumOutputCharacters == 20_000)
        #expect(configuration.maximumRedirects == 5)
        #expect(configuration.allowedPorts == [80, 443, 8080, 8443])
        #expect(!configuration.allowsPrivateAddresses)
    }
}
