import Foundation

/// The label of an encoding that markup names itself.
enum MarkupCharset {
    /// The first label at the beginning of a page, from an XML declaration or a `meta` element.
    static func label(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
        if let label = declarationLabel(in: bytes) { return label }
        var scanner = MarkupScanner(bytes)
        while let token = scanner.next() {
            guard case .start(let tag) = token, tag.name == "meta" else { continue }
            if let label = tag.value(of: .charset, in: bytes) { return label }
            guard tag.value(of: .httpEquiv, in: bytes)?.lowercased() == "content-type",
                let content = tag.value(of: .content, in: bytes), let label = label(inContent: content)
            else { continue }
            return label
        }
        return nil
    }

    /// The label in `text/html; charset=…`, which may be quoted or not.
    static func label(inContent content: String) -> String? {
        var rest = Substring(content.lowercased())
        while let found = rest.range(of: "charset") {
            rest = rest[found.upperBound...].drop { $0.isWhitespace }
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst().drop { $0.isWhitespace }
            if let quote = rest.first, quote == "\"" || quote == "'" {
                let value = rest.dropFirst().prefix { $0 != quote }
                return value.endIndex < rest.endIndex ? String(value) : nil
            }
            return String(rest.prefix { !$0.isWhitespace && $0 != ";" })
        }
        return nil
    }

    /// The label in `<?xml … encoding="…"?>` at the very beginning.
    private static func declarationLabel(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard bytes.starts(with: "<?xml".utf8) else { return nil }
        let declaration = Substring(decoding: bytes.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
        guard let found = declaration.range(of: "encoding") else { return nil }
        let rest = declaration[found.upperBound...].drop { $0.isWhitespace }
        guard rest.first == "=" else { return nil }
        let value = rest.dropFirst().drop { $0.isWhitespace }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
        return String(value.dropFirst().prefix { $0 != quote })
    }
}
