/// Puts the head of a response together from its lines.
///
/// Heads of status 1xx are passed over. Whatever follows the head, such as trailers, is none of its business.
struct ResponseHeadParser {
    /// The most bytes that all heads of a response may have together.
    static let limit = 256 << 10

    private var status: Int?
    private var headers = HTTPHeaders()
    private var pending: (name: String, value: String)?
    private var size = 0

    /// Takes the next line with or without its end; gives the head when the line was its last.
    mutating func push(_ line: UnsafeRawBufferPointer) throws(HTTPTransportError) -> HTTPResponseHead? {
        size += line.count
        guard size <= Self.limit else {
            throw .malformedResponse("The head of the response is larger than \(Self.limit >> 10) KiB.")
        }
        let text = line[..<(line.lastIndex { $0 != 0x0D && $0 != 0x0A }.map { $0 + 1 } ?? 0)]
        guard status != nil else {
            if !text.isEmpty { status = try Self.status(of: text) }
            return nil
        }
        guard text.isEmpty else {
            try push(field: text)
            return nil
        }
        return end()
    }

    private mutating func push(field text: Slice<UnsafeRawBufferPointer>) throws(HTTPTransportError) {
        let isFolded = text.first.map(Self.isSpace) ?? false
        if isFolded, pending != nil {
            pending?.value.append(" " + Self.trimmed(text))
            return
        }
        guard !isFolded, let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex else {
            throw .malformedResponse("A line of the response's head is no header.")
        }
        endField()
        let name = String(decoding: text[..<colon], as: UTF8.self)
        pending = (name, Self.trimmed(text[(colon + 1)...]))
    }

    private mutating func endField() {
        if let (name, value) = pending { headers.add(value, for: name) }
        pending = nil
    }

    private mutating func end() -> HTTPResponseHead? {
        endField()
        defer {
            status = nil
            headers = [:]
        }
        guard let status, status >= 200 else { return nil }
        return HTTPResponseHead(status: status, headers: headers)
    }

    /// `HTTP/1.1 200 OK`, with a reason or without.
    private static func status(of line: Slice<UnsafeRawBufferPointer>) throws(HTTPTransportError) -> Int {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count >= 2, words[0].starts(with: "HTTP/".utf8), words[1].count == 3,
            let status = Int(String(decoding: words[1], as: UTF8.self)), status >= 100
        else { throw .malformedResponse("The response does not begin as HTTP does.") }
        guard status != 101 else { throw .malformedResponse("The server changed to another protocol.") }
        return status
    }

    private static func trimmed(_ text: Slice<UnsafeRawBufferPointer>) -> String {
        let start = text.drop(while: isSpace)
        let end = start.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start.startIndex
        return String(decoding: start[..<end], as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09
    }
}
