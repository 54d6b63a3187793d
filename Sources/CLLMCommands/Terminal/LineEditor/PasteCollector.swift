/// Gathers a bracketed paste up to its end marker.
struct PasteCollector: Sendable {
    enum Outcome: Sendable, Hashable {
        case text(String)
        /// It was too long; nothing of it is kept.
        case refused
    }

    /// The most bytes of a paste.
    static let sizeLimit = 4 << 20

    private static let end = Array("\u{1B}[201~".utf8)
    private static let interrupt: UInt8 = 0x03

    private let limit: Int
    private var bytes: [UInt8] = []
    /// How much of the end marker stands behind them.
    private var matched = 0
    private var isTooLong = false

    init(limit: Int = PasteCollector.sizeLimit) {
        self.limit = limit
    }

    /// The text, with line feeds as its line breaks, when `byte` completes the end marker.
    ///
    /// Ctrl-C, too, ends a paste that is too long, whose end marker may never come.
    mutating func take(_ byte: UInt8) -> Outcome? {
        if isTooLong, byte == Self.interrupt {
            self = PasteCollector(limit: limit)
            return .refused
        }
        if byte == Self.end[matched] {
            matched += 1
            guard matched == Self.end.count else { return nil }
            defer { self = PasteCollector(limit: limit) }
            return isTooLong ? .refused : .text(Self.text(bytes))
        }
        // The marker's first byte occurs in it only once.
        append(Self.end[..<matched])
        matched = byte == Self.end[0] ? 1 : 0
        if matched == 0 { append([byte]) }
        return nil
    }

    private mutating func append(_ more: some Collection<UInt8>) {
        guard !isTooLong else { return }
        bytes += more
        guard bytes.count > limit else { return }
        bytes = []
        isTooLong = true
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
