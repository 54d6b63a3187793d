/// The name of one part of a split model: `prefix-00002-of-00003.gguf`.
///
/// Parts are numbered from 1 in file names. A name that says "part 1 of 1" is that of a whole file.
package struct GGUFSplitName: Sendable, Hashable {
    /// Everything before the number, a folder included if there was one.
    package let prefix: String

    /// This part, from 1 to `count`.
    package let number: Int

    /// The number of parts, 2 or more.
    package let count: Int

    /// The extension with its dot, in the spelling of the file.
    package let suffix: String

    /// Nil unless the name is that of a part: two or more parts, and a number among them.
    package init?(_ fileName: String) {
        guard let match = Self.parse(fileName), match.count >= 2, (1...match.count).contains(match.number) else {
            return nil
        }
        (prefix, number, count, suffix) = match
    }

    /// Whether the name has the form of a part but numbers that no part can have, such as part 0, or 4 of 3.
    package static func isImpossible(_ fileName: String) -> Bool {
        guard let match = parse(fileName) else { return false }
        return !(1...max(match.count, 1)).contains(match.number) || match.count == 0
    }

    /// The name of another part of the same model.
    package func part(_ number: Int) -> String {
        "\(prefix)-\(Self.padded(number))-of-\(Self.padded(count))\(suffix)"
    }

    /// The names of all parts, in order.
    package var allParts: [String] { (1...count).map(part) }

    private static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    }

    private static func parse(_ name: String) -> (prefix: String, number: Int, count: Int, suffix: String)? {
        // From the end: ".gguf" in any case, five digits, "-of-", five digits and a dash.
        let suffix = name.suffix(5)
        guard suffix.lowercased() == ".gguf" else { return nil }
        let stem = name.dropLast(5)
        let tail = stem.suffix(15)
        let digits = tail.dropFirst().prefix(5)
        guard tail.count == 15, tail.first == "-", tail.dropFirst(6).prefix(4) == "-of-", stem.count > 15,
            let number = number(digits), let count = self.number(tail.suffix(5))
        else { return nil }
        return (String(stem.dropLast(15)), number, count, String(suffix))
    }

    private static func number(_ digits: Substring) -> Int? {
        digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(digits) : nil
    }
}
