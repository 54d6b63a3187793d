import Foundation

/// What a page is, going by the type that its server names.
enum WebpageType: Sendable, Hashable {
    case html
    case plainText
    /// The server names none, or one that says nothing.
    case unknown
    case unsupported

    /// Reads the value of the header `Content-Type`.
    init(_ contentType: String?) {
        switch Self.name(in: contentType) {
        case "text/html", "application/xhtml+xml": self = .html
        case "text/plain": self = .plainText
        case nil, "*/*", "unknown/unknown", "application/unknown": self = .unknown
        default: self = .unsupported
        }
    }

    /// The type's name in small letters, without parameters; nil if there is no such name.
    static func name(in contentType: String?) -> String? {
        let name = contentType?.prefix { $0 != ";" && $0 != "," }.lowercased().trimmed
        guard let name, name.utf8.count <= 127, let slash = name.firstIndex(of: "/"), slash != name.startIndex,
            name.index(after: slash) != name.endIndex, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return name
    }

    /// The label of an encoding that the header names.
    static func charset(in contentType: String?) -> String? {
        for parameter in contentType?.split(separator: ";").dropFirst() ?? [] {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, String(parts[0]).trimmed.lowercased() == "charset" else { continue }
            let value = String(parts[1]).trimmed
            return value.trimmingCharacters(in: CharacterSet(charactersIn: "\"'"))
        }
        return nil
    }

    /// What the data look like; for pages without a type.
    init(sniffing data: some Collection<UInt8>) {
        let start = data.prefix(1_445)
        guard !Self.isKnownBinary(start) else {
            self = .unsupported
            return
        }
        let hasMark = [[0xFE, 0xFF], [0xFF, 0xFE], [0xEF, 0xBB, 0xBF]].contains { start.starts(with: $0) }
        guard hasMark || !start.contains(where: Self.isBinary) else {
            self = .unsupported
            return
        }
        // Marks of the byte order, and zeros of two-byte units, are passed over like white space.
        let text = start.filter { $0 > 0x20 && $0 < 0x7F }
        let isMarkup = text.first == UInt8(ascii: "<") && text.dropFirst().first.map(Self.opensMarkup) == true
        self = isMarkup ? .html : .plainText
    }

    private static func opensMarkup(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "?"), 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    /// Whether a byte stands in no text.
    static func isBinary(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x08, 0x0B, 0x0E...0x1A, 0x1C...0x1F: true
        default: false
        }
    }

    /// Whether data begin as files do that hold no text, whatever their server says.
    static func isKnownBinary(_ data: some Collection<UInt8>) -> Bool {
        let start = data.prefix(1_024)
        // Text may begin with the same letters.
        let isText = !start.contains(where: isBinary)
        if signatures.contains(where: { start.starts(with: $0) && !(isText && $0.allSatisfy(isPlain)) }) { return true }
        if documents.contains(where: start.starts(with:)) { return true }
        // Readers of PDF let white space and other bytes stand before it.
        let first = start.drop { $0 <= 0x20 || $0 >= 0x80 }
        return first.starts(with: "%PDF-".utf8)
    }

    private static func isPlain(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) }

    private static let documents: [[UInt8]] = [Array("%!PS-Adobe-".utf8), Array("{\\rtf".utf8)]

    private static let signatures: [[UInt8]] = [
        Array("GIF87a".utf8),
        Array("GIF89a".utf8), Array("OggS".utf8), Array("wOFF".utf8), Array("wOF2".utf8), Array("Rar!".utf8),
        Array("GGUF".utf8), [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], [0x50, 0x4B, 0x03, 0x04], [0x1F, 0x8B, 0x08],
        [0x37, 0x7A, 0xBC, 0xAF], [0x7F, 0x45, 0x4C, 0x46], [0xCF, 0xFA, 0xED, 0xFE], [0x49, 0x44, 0x33, 0x03],
        [0x49, 0x44, 0x33, 0x04], [0x28, 0xB5, 0x2F, 0xFD], [0xFD, 0x37, 0x7A, 0x58, 0x5A],
    ]
}
