import Foundation

/// Finds the encoding of a page and decodes it.
///
/// In this order: the mark of the byte order, the label in the response's head, the label that a page of HTML names itself
/// within its first 4 KiB, UTF-8. An unknown label is passed over.
struct PageDecoder {
    let data: Data

    /// The label in the response's head.
    let label: String?

    let isHTML: Bool

    /// Whether the data may end within a character.
    let isTruncated: Bool

    private static let prescanLength = 4_096

    /// The text, with U+FFFD for what is malformed.
    var text: String {
        let bytes = [UInt8](data)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return utf8(bytes.dropFirst(3)) }
        if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), isBigEndian: false) }
        if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), isBigEndian: true) }
        if let named = label.flatMap({ TextEncoding(label: $0) }), let text = decoded(bytes, named) { return text }
        if isHTML, let named = Self.declared(in: bytes), let text = decoded(bytes, named) { return text }
        return utf8(bytes[...])
    }

    /// The encoding that a page names in a `meta` element or in its XML declaration.
    private static func declared(in bytes: [UInt8]) -> TextEncoding? {
        let start = Array(bytes.prefix(prescanLength))
        let label = start.withUnsafeBufferPointer { MarkupCharset.label(in: $0) }
        switch label.flatMap({ TextEncoding(label: $0) }) {
        // Whoever can read the label does not read units of two bytes.
        case .utf16LittleEndian, .utf16BigEndian: return .utf8
        case let encoding: return encoding
        }
    }

    /// Nil if the system cannot convert the encoding.
    private func decoded(_ bytes: [UInt8], _ encoding: TextEncoding) -> String? {
        switch encoding {
        case .utf8: return utf8(bytes[...])
        case .utf16LittleEndian: return utf16(bytes[...], isBigEndian: false)
        case .utf16BigEndian: return utf16(bytes[...], isBigEndian: true)
        case .windows1252:
            var scalars = String.UnicodeScalarView()
            for byte in bytes { scalars.append(Windows1252.scalar(of: byte)) }
            return String(scalars)
        case .system(let names):
            return SystemConverter(names: names)?.text(of: bytes, isTruncated: isTruncated)
        }
    }

    private func utf8(_ bytes: ArraySlice<UInt8>) -> String {
        guard isTruncated else { return String(decoding: bytes, as: UTF8.self) }
        let continuations = bytes.reversed().prefix(3).prefix { $0 & 0xC0 == 0x80 }.count
        let last = bytes.dropLast(continuations).last ?? 0
        let length = last >= 0xF0 ? 4 : last >= 0xE0 ? 3 : last >= 0xC0 ? 2 : 1
        let isCut = length > continuations + 1
        return String(decoding: isCut ? bytes.dropLast(continuations + 1) : bytes, as: UTF8.self)
    }

    private func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for index in stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
        }
        if isTruncated, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        return String(decoding: units, as: UTF16.self)
    }
}
