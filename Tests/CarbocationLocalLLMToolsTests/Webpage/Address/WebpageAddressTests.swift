import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Testing

@Suite("Addresses of webpages")
struct WebpageAddressTests {
    @Test(
        "BT-5: addresses are requested as they are given",
        arguments: [
            ("https://example.com", "https://example.com"), ("HTTP://Example.COM/A", "http://example.com/A"),
            ("https:\\/\\/www.bing.com\\/search?q=S%26P+500", "https://www.bing.com/search?q=S%26P+500"),
            ("\u{a0}\thttps://a.example/\r\n", "https://a.example/"), ("https://a.example/%41%2f%7e", nil),
            ("https://a.example/a/../b//c/./", nil), ("https://a.example?q=1", nil), ("https://a.example/?", nil),
            ("https://a.example/x?a=b&c=%20&d=(e)'!*;,@:$", nil), ("https://a.example:8443/x", nil),
            ("https://a.example:/x", "https://a.example/x"), ("https://a.example./x", "https://a.example/x"),
            ("https://a.example/x#part", "https://a.example/x"), ("https://a.example#/x?y", "https://a.example"),
            ("https://a.example/a|b\"<c>^{}`\\d", "https://a.example/a%7Cb%22%3Cc%3E%5E%7B%7D%60%5Cd"),
            ("https://a.example/100%", "https://a.example/100%25"),
            ("https://a.example/%4g%", "https://a.example/%254g%25"),
            ("https://a.example/?a[]=1", "https://a.example/?a%5B%5D=1"),
            ("https://de.wikipedia.org/wiki/Köln?q=日", "https://de.wikipedia.org/wiki/K%C3%B6ln?q=%E6%97%A5"),
            ("https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
            ("https://ｅｘａｍｐｌｅ.com/", "https://example.com/"), ("http://172.32.0.1/", nil),
            ("http://8.8.8.8:80/", nil), ("http://[2606:4700:4700::1111]/", nil),
            ("http://[2606:4700:4700:0::1111]/", "http://[2606:4700:4700::1111]/"),
            ("http://_dmarc.x-y.example/", nil), ("https://a.example/@b:c", nil),
            ("https://a.example/?u=http://b/@", nil),
        ] as [(String, String?)])
    func accepted(given: String, requested: String?) async throws {
        let fetcher = FixtureFetcher(html: "x")
        let output = try await load(given, fetcher: fetcher)
        #expect(output.failureCode == nil, "\(output.jsonString())")
        #expect(fetcher.addresses == [requested ?? given])
        #expect(output.string(forKey: "url") == requested ?? given)
    }

    @Test(
        "BT-5: what is no address makes no request",
        arguments: [
            "", "   ", "https:///path", "https://", "http://a b/", "http://user:pw@a/", "http://@a/", "http://a@/",
            "https:/example.com", "https:example.com", "https:\\\\example.com\\", "//example.com/", "/path",
            "example.com",
            "example.com/x", "www.example.com:80/x", "http://?q", "http://#x", "http://:80/", "http://a:b/",
            "http://a:80:80/",
            "http://a:-1/", "http://a:+80/", "http://a:65536/", "http://a:999999999999999999999/", "http://a:٨٠/",
            "http://a..b/", "http://./", "http://../", "http://a%2eb/", "http://%31%32%37.0.0.1/", "http://a\\@b/",
            "http://a\\b/", "http://a<b/", "http://[::1/", "http://::1/", "http://[]/", "http://[127.0.0.1]/",
            "http://[::1]x/", "http://[g::]/", "http://[1::2::3]/", "http://a/b c", "http://a/\tb", "http://a/\u{0}b",
            "http://a/\u{3000}b", "http://a/\u{2028}b", "http://a\u{0}b/", "http://a\nb/", "http://a,b/", "http://a*/",
            "http:// a/", "http://\u{200B}/", "http ://a/", "://a/", ":", "http", "ht!tp://a/",
        ])
    func invalid(text: String) async throws {
        let fetcher = FixtureFetcher(html: "x")
        let output = try await load(text, fetcher: fetcher)
        #expect(output.failureCode == "invalid_url", "\(output.jsonString())")
        #expect(fetcher.requests.isEmpty)
    }

    @Test("BT-5: the message repeats the text, but no password")
    func messages() async throws {
        let fetcher = FixtureFetcher(html: "x")
        #expect(try await load("http://a b/", fetcher: fetcher).failureMessage.contains("http://a b/"))
        #expect(try await load("http://a..b/", fetcher: fetcher).failureMessage.contains("http://a..b/"))
        #expect(try await !load("http://user:pw@a/", fetcher: fetcher).failureMessage.contains("pw"))
        let long = try await load("http://a b/" + String(repeating: "x", count: 100_000), fetcher: fetcher)
        #expect(long.failureMessage.count < 1000)
    }

    @Test(
        "W04: other schemes",
        arguments: [
            "file:///etc/hosts", "FILE:///etc/hosts", "data:text/html,<p>hi", "data:text/html;base64,PHA+", "ftp://a/",
            "FtP://a/", "javascript:alert(1)", "about:blank", "mailto:a@b.example", "blob:https://a/x", "ws://a/",
            "wss://a/", "gopher://a/", "jar:http://a!/", "view-source:https://a/", "httpx://a/", "https+x://a/",
            "chrome://settings", "tel:123", "localhost:8080/x",
        ])
    func schemes(text: String) async throws {
        let fetcher = FixtureFetcher(html: "x")
        let output = try await load(text, fetcher: fetcher)
        #expect(output.failureCode == "unsupported_scheme", "\(output.jsonString())")
        #expect(fetcher.requests.isEmpty)
    }

    @Test(
        "BT-6: ports",
        arguments: [
            ("http://a.example:22/", false), ("https://a.example:25/", false), ("http://a.example:0/", false),
            ("http://a.example:6379/", false), ("http://a.example:8080/", true), ("http://a.example:443/", true),
            ("http://a.example:00080/", true), ("http://a.example:65535/", false),
        ])
    func ports(text: String, isAllowed: Bool) async throws {
        let fetcher = FixtureFetcher(html: "x")
        #expect(try await load(text, fetcher: fetcher).failureCode == (isAllowed ? nil : "blocked_port"))
        #expect(fetcher.requests.isEmpty == !isAllowed)
        let all = try await load(text, configuration: .init(allowedPorts: nil), fetcher: fetcher)
        #expect(all.failureCode == (text.contains(":0/") ? "blocked_port" : nil))
    }

    /// Hosts of private networks, and numbers that some programs take for them.
    static let blockedHosts = [
        "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "[::1]", "[::ffff:10.0.0.1]", "[fd00::1]", "[fe80::1%25en0]",
        "localhost", "localhost.", "LOCALHOST", "a.localhost", "a.local", "A.LOCAL.", "local", "100.64.0.1",
        "100.127.255.255", "0.0.0.0", "0.1.2.3", "172.31.255.255", "172.16.0.1", "10.0.0.5", "192.168.1.1", "127.0.0.1",
        "127.255.255.254", "127.0.0.1.", "169.254.169.254", "255.255.255.255", "224.0.0.1", "239.1.2.3", "240.0.0.1",
        "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "192.0.0.8", "0", "1", "00.0.0.0", "127.0.1",
        "127.0.0.01",
        "0x7f.0.0.1", "0X7F000001", "017700000001", "127.0.0.0x1", "1.2.3.4.5", "256.1.1.1", "1.1.1.999", "8.8.8",
        "foo.1", "a.b.0x10", "①②⑦.0.0.1", "１２７.0.0.1", "127。0。0。1", "⑧.⑧.⑧.⑧", "ｌｏｃａｌｈｏｓｔ", "[::]",
        "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:a9fe:a9fe]", "[::127.0.0.1]", "[64:ff9b::10.0.0.1]",
        "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2002:a00:1::1]", "[2001::1]", "[2001:db8::1]", "[fe80::1]",
        "[fe80::1%eth0]",
        "[fc00::1]", "[fec0::1]", "[ff02::1]", "[100::1]", "[4000::1]", "[3fff::1]", "[::ffff:0:127.0.0.1]",
        "[5f00::1]",
    ]

    @Test("W03: other spellings of private addresses", arguments: blockedHosts)
    func blocked(host: String) async throws {
        let fetcher = FixtureFetcher(html: "x")
        for address in ["http://\(host)/", "https://\(host):8443/x?y=z", "HTTP://\(host)"] {
            let output = try await load(address, fetcher: fetcher)
            #expect(output.failureCode == "blocked_address", "\(address): \(output.jsonString())")
        }
        #expect(fetcher.requests.isEmpty)
    }

    @Test("W03: private addresses are asked if they are allowed, other spellings never")
    func allowed() async throws {
        let fetcher = FixtureFetcher(html: "x")
        let configuration = LLMLoadWebpageTool.Configuration(allowedPorts: nil, allowsPrivateAddresses: true)
        for address in ["http://127.0.0.1:1234/", "http://localhost:99/", "http://[::1]:8000/", "http://10.0.0.1/"] {
            #expect(try await load(address, configuration: configuration, fetcher: fetcher).failureCode == nil)
        }
        #expect(fetcher.requests.count == 4)
        for address in ["http://127.1/", "http://0x7f000001/", "file:///etc/hosts", "http://u@127.0.0.1/"] {
            #expect(try await load(address, configuration: configuration, fetcher: fetcher).failureCode != nil)
        }
        #expect(fetcher.requests.count == 4)
    }
}
