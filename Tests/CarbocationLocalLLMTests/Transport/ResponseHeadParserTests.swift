import Testing

@testable import CarbocationLocalLLM

@Suite("ResponseHeadParser")
struct ResponseHeadParserTests {
    /// All heads that come out of a text, line by line.
    private static func parse(_ text: String) throws -> [HTTPResponseHead] {
        var parser = ResponseHeadParser()
        return try lines(of: text).compactMap { line in try line.withUnsafeBytes { try parser.push($0) } }
    }

    /// The lines with their ends, as libcurl gives them.
    private static func lines(of text: String) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        for byte in text.utf8 {
            lines[lines.count - 1].append(byte)
            if byte == UInt8(ascii: "\n") { lines.append([]) }
        }
        return lines.filter { !$0.isEmpty }
    }

    @Test("status and headers", arguments: ["\r\n", "\n"])
    func head(lineEnd: String) throws {
        let text = ["HTTP/1.1 206 Partial Content", "ETag: \"v1\"", "Empty:", "Colons: a:b", "", ""]
        let heads = try Self.parse(text.joined(separator: lineEnd))
        #expect(heads == [HTTPResponseHead(status: 206, headers: ["ETag": "\"v1\"", "Empty": "", "Colons": "a:b"])])
    }

    @Test(
        "status lines of several versions",
        arguments: [("HTTP/1.0 200 OK", 200), ("HTTP/2 404", 404), ("HTTP/1.1 599 ", 599), ("HTTP/1.1  204  X", 204)])
    func statusLines(line: String, status: Int) throws {
        #expect(try Self.parse(line + "\r\n\r\n").map(\.status) == [status])
    }

    @Test("heads of 1xx are passed over, each with its headers")
    func interim() throws {
        let heads = try Self.parse(
            "HTTP/1.1 100 Continue\r\nA: 1\r\n\r\nHTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200\r\nB: 2\r\n\r\n")
        #expect(heads == [HTTPResponseHead(status: 200, headers: ["B": "2"])])
    }

    @Test("empty lines before the status line are passed over")
    func leadingLines() throws {
        #expect(try Self.parse("\r\n\r\nHTTP/1.1 200\r\n\r\n").count == 1)
    }

    @Test("folded lines continue the value, at any place but the first")
    func folding() throws {
        let heads = try Self.parse("HTTP/1.1 200\r\nA: 1\r\n  2\r\n\t3\r\nB: 4\r\n\r\n")
        #expect(heads.first?.headers.fields.map(\.value) == ["1 2 3", "4"])
        #expect(throws: HTTPTransportError.self) { try Self.parse("HTTP/1.1 200\r\n folded: 1\r\n\r\n") }
    }

    @Test("bytes that are no UTF-8 are replaced, not refused")
    func encoding() throws {
        var parser = ResponseHeadParser()
        for line in [Array("HTTP/1.1 200\r\n".utf8), Array("A: ".utf8) + [0xFF, 0xE9] + Array("\r\n".utf8)] {
            #expect(try line.withUnsafeBytes { try parser.push($0) } == nil)
        }
        let head = try [UInt8(ascii: "\r"), UInt8(ascii: "\n")].withUnsafeBytes { try parser.push($0) }
        #expect(head?.headers["A"] == "\u{FFFD}\u{FFFD}")
    }

    @Test(
        "what is no head",
        arguments: [
            "HTTP/1.1\r\n", "HTTP/1.1 20 OK\r\n", "HTTP/1.1 2000 OK\r\n", "HTTP/1.1 099 X\r\n", "HTTP/1.1 -20 X\r\n",
            "http/1.1 200 OK\r\n", "ICY 200 OK\r\n", "HTTP/1.1 101 Switching\r\n", "HTTP/1.1 200\r\nno colon\r\n",
            "HTTP/1.1 200\r\n:nameless\r\n", "HTTP/1.1 ٢٠٠ OK\r\n",
        ])
    func malformed(text: String) {
        #expect(throws: HTTPTransportError.self) { try Self.parse(text) }
    }

    @Test("the limit is for all heads together")
    func limit() throws {
        let filler = "A: " + String(repeating: "x", count: 1019) + "\r\n"  // 1024 bytes
        let full = "HTTP/1.1 200\r\n" + String(repeating: filler, count: 255)
        #expect(try Self.parse(full + "\r\n").count == 1)
        #expect(throws: HTTPTransportError.self) { try Self.parse(full + filler + "\r\n") }
        let interim = "HTTP/1.1 100\r\n" + String(repeating: filler, count: 100) + "\r\n"
        #expect(throws: HTTPTransportError.self) { try Self.parse(String(repeating: interim, count: 3)) }
    }
}
