/// The encoding that the web's oldest pages are in, whatever they call it.
enum Windows1252 {
    /// The character of a byte.
    static func scalar(of byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }

    /// The characters of 0x80 to 0x9F; five bytes have none and stand for themselves.
    private static let upper: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{0192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
        "\u{02C6}", "\u{2030}", "\u{0160}", "\u{2039}", "\u{0152}", "\u{8D}", "\u{017D}", "\u{8F}",
        "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
        "\u{02DC}", "\u{2122}", "\u{0161}", "\u{203A}", "\u{0153}", "\u{9D}", "\u{017E}", "\u{0178}",
    ]
}
