import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Foundation
import Testing

@Suite("Types of webpages")
struct WebpageTypeTests {
    private func type(_ bytes: [UInt8], _ type: String?) async throws -> String? {
        let output = try await load("https://example.com/", fetcher: FixtureFetcher(bytes, type: type))
        return output.string(forKey: "mime_type") ?? output.failureCode
    }

    @Test("W08: text may begin like a binary file", arguments: ["GGUF", "Rar!", "OggS", "wOFF", "GIF89a"])
    func similarText(start: String) async throws {
        #expect(try await type(Array("\(start) is a format for files.".utf8), "text/plain") == "text/plain")
        #expect(
            try await type(Array(start.utf8) + [3, 0, 0, 0, 1, 0], "text/plain") == "unsupported_content_type")
    }

    @Test(
        "W08: types that are read, and others",
        arguments: [
            ("text/html", "text/html"), ("TEXT/HTML;charset=x", "text/html"),
            ("application/xhtml+xml", "application/xhtml+xml"),
            ("text/plain; format=flowed", "text/plain"), ("application/pdf", nil), ("image/png", nil),
            ("application/octet-stream", nil),
            ("application/json", nil), ("text/css", nil), ("image/svg+xml", nil), ("multipart/x-mixed-replace", nil),
            ("text/html, text/plain", "text/html"), ("", "text/html"), ("html", "text/html"), ("*/*", "text/html"),
            (" / ", "text/html"),
            ("text/html\u{0}", "text/html"), ("application/unknown", "application/unknown"),
        ] as [(String, String?)])
    func declared(given: String, name: String?) async throws {
        let expected = name == "application/unknown" ? "text/html" : name ?? "unsupported_content_type"
        #expect(try await type(Array("<p>x".utf8), given) == expected)
    }

    @Test(
        "W08: the first bytes, whatever the type says",
        arguments: ["text/html", "text/html; charset=utf-8", "text/plain", "application/xhtml+xml", nil])
    func binary(declared: String?) async throws {
        for start: [UInt8] in [
            Array("%PDF-1.7\n".utf8), Array("\u{FEFF} \r\n%PDF-1.7".utf8), [0x89, 0x50, 0x4E, 0x47, 0x0D],
            [0xFF, 0xD8, 0xFF, 0xE0],
            Array("GIF89a".utf8), [0x50, 0x4B, 0x03, 0x04], [0x1F, 0x8B, 0x08], Array("{\\rtf1".utf8),
            [0x7F, 0x45, 0x4C, 0x46],
        ] {
            #expect(try await type(start + [1, 0] + Array("text".utf8), declared) == "unsupported_content_type")
        }
    }

    @Test(
        "W08: with no type the first bytes are looked at",
        arguments: [
            ("<!DOCTYPE html><p>x", "text/html"), (" \n<html>", "text/html"), ("<!-- x -->", "text/html"),
            ("<p>x", "text/html"),
            ("<?xml version='1.0'?><html>", "text/html"), ("\u{FEFF}<p>", "text/html"), ("plain < text", "text/plain"),
            ("", "text/plain"),
            ("a\u{0}b", "unsupported_content_type"), ("a\u{8}b", "unsupported_content_type"), ("<3 you", "text/plain"),
            ("a\u{1b}[1mb", "text/plain"),
        ])
    func sniffed(text: String, name: String) async throws {
        #expect(try await type(Array(text.utf8), nil) == name)
    }

    @Test("W08: what servers call plain text for want of a better name")
    func mislabelled() async throws {
        #expect(try await type(Array("a\u{0}\u{1}b".utf8), "text/plain") == "unsupported_content_type")
        #expect(try await type([0xFF, 0xFE, 0x41, 0x00], "text/plain") == "text/plain")
        #expect(try await type(Array("<p>x".utf8), "text/plain") == "text/plain")
    }

    @Test("plain text keeps its lines and their indentation")
    func plainText() async throws {
        let text = "  Title\r\n\r\n\r\n\r\n* one   two\n    def f():\t x\n<b>&amp;</b>  \n\n"
        let output = try await load("https://example.com/", fetcher: FixtureFetcher(text.utf8, type: "text/plain"))
        #expect(output.pageText == "Title\n\n* one two\n    def f(): x\n<b>&amp;</b>")
        #expect(output.string(forKey: "title") == "")
        let long = FixtureFetcher(String(repeating: "x", count: 3000).utf8, type: "text/plain")
        let cut = try await load("https://a.example/", configuration: .init(maximumOutputCharacters: 1), fetcher: long)
        #expect(cut.pageText?.count == 1000)
        #expect(cut.isTruncated == true)
    }
}
