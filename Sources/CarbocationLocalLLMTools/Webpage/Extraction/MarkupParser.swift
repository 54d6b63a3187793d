import CLibXML2

/// libxml2's HTML parser, which tells a builder what it meets while markup is fed to it.
///
/// No tree is built, nothing is loaded, and nothing is said about errors. How long it takes depends on the depth of the
/// elements, which whoever feeds it must bound.
final class MarkupParser {
    private let context: htmlParserCtxtPtr
    private let builder: ReadableTextBuilder

    /// Nil if there is no memory for a parser.
    init?(builder: ReadableTextBuilder) {
        var events = Self.makeEvents()
        let target = Unmanaged.passUnretained(builder).toOpaque()
        guard let context = htmlCreatePushParserCtxt(&events, target, nil, 0, nil, XML_CHAR_ENCODING_UTF8) else {
            return nil
        }
        self.context = context
        self.builder = builder
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue | HTML_PARSE_NOIMPLIED.rawValue | HTML_PARSE_NODEFDTD.rawValue
            | HTML_PARSE_IGNORE_ENC.rawValue
        htmlCtxtUseOptions(context, Int32(options))
    }

    deinit {
        htmlFreeParserCtxt(context)
    }

    /// Parses the next part of the markup, which is UTF-8.
    func feed(_ markup: [UInt8]) {
        markup.withUnsafeBytes { buffer in
            let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            _ = htmlParseChunk(context, start, Int32(clamping: buffer.count), 0)
        }
    }

    /// Parses what has been held back.
    func finish() {
        _ = htmlParseChunk(context, nil, 0, 1)
    }

    private static func makeEvents() -> xmlSAXHandler {
        var events = xmlSAXHandler()
        events.startElement = { target, name, attributes in
            MarkupParser.builder(target)?.begin(MarkupParser.text(name), isHidden: attributes?.pointee != nil)
        }
        events.endElement = { target, name in
            MarkupParser.builder(target)?.end(MarkupParser.text(name))
        }
        events.characters = { MarkupParser.append($1, $2, to: $0) }
        events.cdataBlock = { MarkupParser.append($1, $2, to: $0) }
        events.ignorableWhitespace = { MarkupParser.append($1, $2, to: $0) }
        return events
    }

    private static func builder(_ target: UnsafeMutableRawPointer?) -> ReadableTextBuilder? {
        target.map { Unmanaged<ReadableTextBuilder>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func text(_ name: UnsafePointer<xmlChar>?) -> String {
        name.map { String(cString: $0) } ?? ""
    }

    private static func append(_ start: UnsafePointer<xmlChar>?, _ count: Int32, to target: UnsafeMutableRawPointer?) {
        builder(target)?.append(UnsafeBufferPointer(start: start, count: max(Int(count), 0)))
    }
}
