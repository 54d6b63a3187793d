/// Names of quantisations, from the code in a header or from a file name.
package enum GGUFQuantization {
    /// The flag of a code that the converter guessed.
    private static let guessedFlag = 1024

    private static let names: [Int: String] = [
        0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K", 11: "Q3_K_S",
        12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S", 17: "Q5_K_M", 18: "Q6_K", 19: "IQ2_XXS",
        20: "IQ2_XS", 21: "Q2_K_S", 22: "IQ3_XS", 23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL", 26: "IQ3_S", 27: "IQ3_M",
        28: "IQ2_S", 29: "IQ2_M", 30: "IQ4_XS", 31: "IQ1_M", 32: "BF16", 36: "TQ1_0", 37: "TQ2_0", 38: "MXFP4",
        39: "NVFP4",
    ]

    /// The name from the header's code, else from the file name.
    package static func name(fileType: Int?, fileName: String?) -> String? {
        fileType.flatMap(name(fileType:)) ?? fileName.flatMap(name(fileName:))
    }

    /// The name of a `general.file_type`; nil for unknown codes.
    package static func name(fileType code: Int) -> String? { names[code & ~guessedFlag] }

    /// The last word of a file name or path that looks like a quantisation, in upper case.
    ///
    /// Extension and split suffix need no treatment: none of their words looks like one.
    package static func name(fileName: String) -> String? {
        fileName.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            .last { isQuantization(Array($0.uppercased().utf8)) }?
            .uppercased()
    }

    private static func isQuantization(_ word: [UInt8]) -> Bool {
        switch word {
        case _ where plainNames.contains(word): true
        case _ where word.starts(with: "MXFP4".utf8): true
        case _ where word.starts(with: "TQ".utf8):
            word.count == 5 && isDigit(word[2]) && word[3] == UInt8(ascii: "_") && isDigit(word[4])
        default: startsLikeBlockFormat(word)
        }
    }

    private static let plainNames: Set<[UInt8]> = Set(["BF16", "F16", "F32", "NVFP4"].map { Array($0.utf8) })

    /// Whether the word begins `Q4…` or `IQ4…` with any digit.
    private static func startsLikeBlockFormat(_ word: [UInt8]) -> Bool {
        let rest = word.first == UInt8(ascii: "I") ? word.dropFirst() : word[...]
        return rest.count >= 2 && rest.first == UInt8(ascii: "Q") && isDigit(rest[rest.startIndex + 1])
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
