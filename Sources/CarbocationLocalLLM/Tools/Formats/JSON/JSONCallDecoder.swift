/// Calls as JSON: one object, a list, or several of them, divided by white space, `;` or `,` or by nothing.
///
/// Fences around them are left out of account. What is not valid JSON is a failure, not a call: only Python's notation
/// is accepted too, for values whose first string is in single quotes.
package struct JSONCallDecoder: ToolCallBodyDecoding {
    /// Where an object has the tool's name.
    package enum NamePlace: Sendable, Hashable {
        /// Under a key such as `name`, possibly within `function`.
        case value
        /// In the key itself, with the arguments as its value.
        case key
    }

    private let namePlace: NamePlace

    package init(namePlace: NamePlace = .value) {
        self.namePlace = namePlace
    }

    package func decode(_ body: Substring) -> [ToolCallDecodingResult] {
        let bytes = Array(body.utf8)
        return decode(ByteCursor(bytes))
    }

    /// Decodes what follows a cursor.
    func decode(_ cursor: ByteCursor) -> [ToolCallDecodingResult] {
        var reader = JSONCallReader(cursor, nameIsKey: namePlace == .key)
        reader.read()
        return reader.results
    }
}
