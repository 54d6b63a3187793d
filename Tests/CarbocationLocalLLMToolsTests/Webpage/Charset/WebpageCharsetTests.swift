import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Foundation
import Testing

@Suite("Encodings of webpages")
struct WebpageCharsetTests {
    private static func meta(_ label: String) -> [UInt8] { Array("<meta charset=\"\(label)\">".utf8) }
    private static func equivalent(_ type: String) -> [UInt8] {
        Array("<META content='\(type)' http-equiv=Content-Type>".utf8)
    }

    private func text(
        _ bytes: [UInt8], _ type: String?, configuration: LLMLoadWebpageTool.Configuration = .init()
    ) async throws -> String? {
        let fetcher = FixtureFetcher(bytes, type: type)
        return try await load("https://example.com/", configuration: configuration, fetcher: fetcher).pageText
    }

    static let samples: [(type: String?, bytes: [UInt8], text: String)] = [
        ("text/html; charset=gbk", [0xC4, 0xE3], "你"), ("text/html;charset=\"GB2312\"", [0xC4, 0xE3], "你"),
        ("text/html; Charset = 'gbk' ; x=y", [0xC4, 0xE3], "你"),
        ("text/html; x=y; charset=gb18030", [0x81, 0x30, 0x84, 0x36], "¥"),
        ("text/html", meta("shift_jis") + [0x93, 0xFA, 0x96, 0x7B], "日本"),
        ("text/html", meta(" SJIS ") + [0x87, 0x40], "①"),
        ("text/html", equivalent("text/html; charset=windows-1252") + [0x93, 0xE9, 0x94], "“é”"),
        ("text/html", equivalent("text/html;charset = \"windows-1251\"") + [0xCF], "П"),
        ("text/html; charset=gbk", [0xEF, 0xBB, 0xBF] + Array("é".utf8), "é"),
        ("text/html; charset=utf-8", [0xFF, 0xFE, 0x41, 0x00, 0x60, 0x4F], "A你"),
        (nil, [0xFE, 0xFF, 0x00, 0x41, 0x4F, 0x60], "A你"),
        ("text/html; charset=utf-16", [0x41, 0x00, 0x60, 0x4F], "A你"),
        ("text/html; charset=UTF-16BE", [0x4F, 0x60], "你"),
        ("text/plain; charset=utf-16le", [0x41, 0x00, 0x60, 0x4F], "A你"),
        ("text/html; charset=klingon", meta("gbk") + [0xC4, 0xE3], "你"),
        ("text/html; charset=klingon", Array("é".utf8), "é"),
        ("text/html; charset=", Array("é".utf8), "é"), ("text/html", meta("klingon") + Array("é".utf8), "é"),
        ("text/html; charset=iso-8859-1", [0x93, 0xE9, 0x94, 0x81], "“é”\u{81}".filter { $0 != "\u{81}" }),
        ("text/html; charset=latin1", [0x80], "€"), ("text/html; charset=us-ascii", [0x99], "™"),
        ("text/html; charset=euc-kr", [0xB0, 0xA1, 0x8C, 0x63], "가똠"),
        ("text/html; charset=ks_c_5601-1987", [0xC7, 0xD1], "한"),
        ("text/html; charset=big5", [0xA7, 0x41], "你"), ("text/html; charset=euc-jp", [0xC6, 0xFC, 0xCB, 0xDC], "日本"),
        ("text/html; charset=iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], "日"),
        ("text/html; charset=koi8-r", [0xF0, 0xD2], "Пр"), ("text/html; charset=windows-1251", [0xCF, 0xF0], "Пр"),
        ("text/html; charset=iso-8859-2", [0xB1], "ą"), ("text/html; charset=iso-8859-9", [0xFE], "ş"),
        ("text/html; charset=iso-8859-15", [0xA4], "€"), ("text/html; charset=windows-1250", [0x9C], "ś"),
        ("text/html; charset=windows-1253", [0xE1], "α"), ("text/html; charset=windows-1255", [0xE0], "א"),
        ("text/html; charset=windows-1256", [0xC7], "ا"), ("text/html; charset=windows-1257", [0xF8], "ų"),
        ("text/html; charset=windows-1258", [0xE0], "à"), ("text/html; charset=windows-874", [0xA1], "ก"),
        ("text/html; charset=tis-620", [0xA1], "ก"), ("text/html; charset=macintosh", [0x8E], "é"),
        ("text/html; charset=ibm866", [0x80], "А"),
        ("text/html; charset=utf8", Array("é".utf8), "é"),
        ("text/html", Array("<?xml version=\"1.0\" encoding=\"gbk\"?>".utf8) + [0xC4, 0xE3], "你"),
        (
            "text/html",
            Array("<!--<meta charset=gbk>--><title x='<meta charset=big5>'></title>".utf8) + Array("é".utf8), "é"
        ),
        ("text/html", meta("utf-16") + Array("é".utf8), "é"),
        ("text/html", meta("gbk") + meta("big5") + [0xC4, 0xE3], "你"),
        ("text/plain", Array("<meta charset=gbk> é".utf8), "<meta charset=gbk> é"),
        // Malformed bytes.
        ("text/html", [0x61, 0xFF, 0x62, 0xC3], "a\u{FFFD}b\u{FFFD}"),
        ("text/html", [0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("text/html; charset=gbk", [0xC4, 0xE3, 0xFF, 0x41], "你\u{FFFD}A"),
        ("text/html; charset=gbk", [0x41, 0xC4], "A\u{FFFD}"),
        ("text/html; charset=shift_jis", [0x93, 0x3C, 0x70, 0x3E, 0x41], "\u{FFFD}\nA"),
        ("text/html; charset=utf-16le", [0x00, 0xD8, 0x41, 0x00], "\u{FFFD}A"),
        ("text/html; charset=utf-16le", [0x41, 0x00, 0x42], "A"),
        ("text/html; charset=big5", [0xFF, 0xFF, 0x41], "\u{FFFD}\u{FFFD}A"),
    ]

    @Test("W07: mark, head, meta, UTF-8", arguments: samples.indices)
    func decoding(index: Int) async throws {
        let page = Self.samples[index]
        #expect(try await text(page.bytes, page.type) == page.text, "\(page.type ?? "") \(page.bytes)")
    }

    @Test("W07: a label beyond the first 4 KiB is not read", arguments: [4_000, 4_090, 5_000])
    func prescan(offset: Int) async throws {
        let bytes = Array(repeating: UInt8(ascii: " "), count: offset) + Self.meta("gbk") + Array("é".utf8)
        #expect(try await text(bytes, "text/html") == (offset < 4_050 ? "茅" : "é"))
    }

    @Test(
        "BT-7: a character that the byte limit cuts is dropped",
        arguments: ["utf-8", "gbk", "utf-16", "big5", "euc-jp"], 0...4)
    func cut(label: String, padding: Int) async throws {
        let character: [UInt8] =
            switch label {
            case "utf-8": Array("你".utf8)
            case "utf-16": [0x60, 0x4F]
            case "gbk": [0xC4, 0xE3]
            case "big5": [0xA7, 0x41]
            default: [0xC6, 0xFC]
            }
        let letter: [UInt8] = label == "utf-16" ? [0x61, 0] : [0x61]
        let bytes =
            Array(repeatElement(letter, count: padding).joined()) + repeatElement(character, count: 2000).joined()
        let text = try #require(
            try await text(bytes, "text/html; charset=\(label)", configuration: .init(maximumBytes: 1024)))
        #expect(!text.contains("\u{FFFD}"))
        #expect(text.count >= 340)
        #expect(Set(text.drop { $0 == "a" }).count == 1)
    }

    @Test("W07: any bytes in any encoding give text")
    func randomBytes() async throws {
        var random = SystemRandomNumberGenerator()
        for label in [
            "gbk", "shift_jis", "euc-kr", "big5", "euc-jp", "iso-2022-jp", "windows-1255", "utf-16", "utf-8", "koi8-u",
        ] {
            for _ in 0..<20 {
                let bytes = (0..<500).map { _ in UInt8.random(in: 0...255, using: &random) }
                #expect(
                    try await text(bytes, "text/html; charset=\(label)") != nil || bytes.starts(with: [0x1F, 0x8B]))
            }
        }
    }
}
