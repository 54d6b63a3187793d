/// A text with JSON in it, of which the value that fits a type is wanted.
struct JSONSource {
    private let text: String
    private let search: BalancedJSONSearch

    /// Takes a text; control characters may stand in strings.
    init(_ text: Substring) {
        self.text = JSONRepair.droppingControls(text)
        var search = BalancedJSONSearch(allowsRawControls: true)
        search.push(self.text)
        self.search = search
    }

    /// Whether the text ends within a value and has none before it.
    var isCutOff: Bool { search.valueAtEnd == nil && search.openCandidate != nil }

    /// Decodes the value of the text or else, from its end, the objects that are complete.
    ///
    /// - Parameter type: The type to decode.
    /// - Returns: The first of them that decodes; nil if there is no JSON.
    /// - Throws: What is wrong with the first.
    func decode<T: Decodable>(_ type: T.Type) throws -> T? {
        guard let range = search.valueAtEnd else { return nil }
        do {
            return try decode(type, at: range)
        } catch {
            for object in objects.reversed() where object != range {
                if let value = try? decode(type, at: object) { return value }
            }
            throw error
        }
    }

    /// The objects in the order in which they end, one within another too, but none of a value that is cut off.
    private var objects: [Range<Int>] {
        var scanner = JSONCandidateScanner(allowsRawControls: true)
        var closed: [Range<Int>] = []
        var text = text
        text.withUTF8 { bytes in
            var position = 0
            while let candidate = scanner.advance(in: bytes, from: &position) {
                if bytes[candidate.range.lowerBound] == UInt8(ascii: "{") { closed.append(candidate.range) }
            }
        }
        let end = scanner.openCandidate ?? .max
        return closed.filter { $0.lowerBound < end }
    }

    private func decode<T: Decodable>(_ type: T.Type, at range: Range<Int>) throws -> T {
        let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
        let json = text[start..<text.utf8.index(start, offsetBy: range.count)]
        return try LocalLLMJSON.decode(type, strictly: JSONRepair.escapingControls(in: json))
    }
}
