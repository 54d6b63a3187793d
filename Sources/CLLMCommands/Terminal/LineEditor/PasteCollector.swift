/// Gathers a bracketed paste up to its end marker.
struct PasteCollector: Sendable {
    /// What is beyond this is dropped.
    static let sizeLimit = 4 << 20

    private static let end = Array("\u{1B}[201~".utf8)

    private var bytes: [UInt8] = []
    /// How much of the end marker stands behind them.
    private var matched = 0

    /// The text, with line feeds as its line breaks, when `byte` completes the end marker.
    mutating func take(_ byte: UInt8) -> String? {
        if byte == Self.end[matched] {
            matched += 1
            guard matched == Self.end.count else { return nil }
            defer { self = PasteCollector() }
            return Self.text(bytes)
        }
        // The marker's first byte occurs in it only once.
        append(Self.end[..<matched])
        matched = byte == Self.end[0] ? 1 : 0
        if matched == 0 { append([byte]) }
        return nil
    }

    private mutating func append(_ more: some Collection<UInt8>) {
        if bytes.count + more.count <= Self.sizeLimit { bytes += more }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        var scalars = String.UnicodeScalarView()
        var followsReturn = false
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            defer { followsReturn = scalar == "\r" }
            if scalar == "\n", followsReturn { continue }
            scalars.append(scalar == "\r" ? "\n" : scalar)
        }
        return String(scalars)
    }
}
