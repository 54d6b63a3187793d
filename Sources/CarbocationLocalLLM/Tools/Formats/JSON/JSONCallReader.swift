/// Reads calls as JSON; see ``JSONCallDecoder``.
struct JSONCallReader {
    private(set) var results: [ToolCallDecodingResult] = []
    private let nameIsKey: Bool
    private var cursor: ByteCursor
    /// Whether a value was malformed, after which strings may be taken for what is between them.
    ///
    /// Quotes in strings are escaped, so that they are no JSON then, but other notations could be read out of them.
    private var hasMalformed = false
    /// How many results there were before the value read last.
    private var countBeforeValue = 0

    init(_ cursor: ByteCursor, nameIsKey: Bool) {
        self.cursor = cursor
        self.nameIsKey = nameIsKey
    }

    mutating func read() {
        while skipSeparators() {
            switch cursor.peek {
            case UInt8(ascii: "["):
                countBeforeValue = results.count
                readList()
            case UInt8(ascii: "{"):
                countBeforeValue = results.count
                readObject(before: cursor.end)
            default: return readRest()
            }
        }
    }

    /// Steps over what may stand between values; false at the end of the text.
    private mutating func skipSeparators() -> Bool {
        while let byte = cursor.peek {
            if cursor.skip(Self.fence) {
                _ = cursor.take { $0.isNamePart }
            } else if byte.isSpacing || byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",") {
                cursor.position += 1
            } else {
                return true
            }
        }
        return false
    }

    private static let fence: Marker = "```"

    /// Reads a list element by element, so that one malformed call does not take others with it.
    ///
    /// Nothing of a list without its end is a call.
    private mutating func readList() {
        let listEnd = JSONText.end(from: cursor)
        cursor.position += 1
        while cursor.position < listEnd.position {
            let byte = cursor.bytes[cursor.position]
            if byte == UInt8(ascii: "{") {
                readObject(before: listEnd.position)
            } else if byte.isSpacing || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") {
                cursor.position += 1
            } else {
                fail(reason: "an element of the list of calls is no object")
                cursor.position = listEnd.position
            }
        }
        if !listEnd.isComplete { rejectLastValue(because: "the list of calls is cut off") }
    }

    private mutating func readObject(before limit: Int) {
        let start = cursor.position
        let (isComplete, end) = JSONText.end(from: ByteCursor(cursor.bytes, start..<limit))
        cursor.position = end
        guard isComplete,
            case .object(let object)? = JSONText.value(cursor.bytes, start..<end, isStrict: hasMalformed)
        else {
            hasMalformed = true
            let probe = CallNameProbe(cursor.bytes, start..<end, nameIsKey: nameIsKey)
            let reason = isComplete ? "the call is no valid JSON" : "the call is cut off"
            results.append(.failure(.malformed(name: probe.name, rawID: probe.rawID, reason: reason)))
            return
        }
        append(object)
    }

    private mutating func append(_ object: LLMJSONObject) {
        guard let wrapped = CallObject.wrapped(in: object) else { return appendCall(object) }
        for element in wrapped {
            if let call = element.objectValue {
                appendCall(call)
            } else {
                fail(reason: "an element of the list of calls is no object")
            }
        }
    }

    private mutating func appendCall(_ object: LLMJSONObject) {
        results += nameIsKey ? CallObject(object).keyedResults : [CallObject(object).result]
    }

    /// Ends with text that is no call: prose after calls is harmless.
    private mutating func readRest() {
        if results.isEmpty {
            fail(reason: "the call is no JSON object")
        } else if TrailingText.continuesCall(cursor) {
            rejectLastValue(because: "text follows the call that belongs to no call")
        }
        cursor.position = cursor.end
    }

    private mutating func rejectLastValue(because reason: String) {
        for index in countBeforeValue..<results.count { results[index] = results[index].rejected(because: reason) }
    }

    private mutating func fail(reason: String) {
        results.append(.failure(.malformed(name: nil, rawID: nil, reason: reason)))
    }
}
