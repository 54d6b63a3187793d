/// Checks that what arrives begins like a GGUF file.
enum MagicCheck {
    private static let magic = Array("GGUF".utf8)

    /// Looks at bytes that belong at `offset`; only those at the very start of the file matter.
    ///
    /// - Throws: ``ModelDownloaderError/notAGGUF(_:)`` naming what the bytes seem to be.
    static func check(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws {
        guard offset < Int64(magic.count) else { return }
        let start = Int(offset)
        let expected = magic[start...]
        guard !zip(bytes, expected).allSatisfy(==) else { return }
        throw ModelDownloaderError.notAGGUF(describe(magic[..<start] + bytes.prefix(64)))
    }

    /// What the first bytes of a file seem to be, as words to put into a sentence.
    static func describe(_ bytes: some Sequence<UInt8>) -> String {
        let text = String(decoding: Array(bytes), as: UTF8.self).trimmingPrefix { $0.isWhitespace || $0 == "\u{FEFF}" }
        let start = text.prefix(64).lowercased()
        if start.isEmpty { return "an empty file" }
        if start.hasPrefix("<") { return start.hasPrefix("<?xml") ? "an XML document" : "an HTML page" }
        if "version https://git-lfs".hasPrefix(start.prefix(23)), start.count >= 4 { return "a Git LFS pointer" }
        if start.hasPrefix("{") || start.hasPrefix("[") { return "a JSON document" }
        return "other data"
    }
}
