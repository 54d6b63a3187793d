/// A tag that begins an element.
struct MarkupTag {
    /// The name in small letters, without characters that no name has, cut if it is long.
    let name: String

    /// The attributes that matter here, where their values are; of several alike, the first.
    var attributes: [Attribute: Range<Int>] = [:]

    /// Whether the tag ends its element at once, as in XML.
    var isSelfClosing = false

    /// The attributes that matter here.
    enum Attribute: String, CaseIterable {
        case hidden
        case ariaHidden = "aria-hidden"
        case style
        case charset
        case httpEquiv = "http-equiv"
        case content
    }

    /// The longest value that is looked at.
    private static let maximumValueLength = 4_096

    /// The value of an attribute, with references as they stand; nil without the attribute.
    func value(of attribute: Attribute, in bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard let range = attributes[attribute] else { return nil }
        return String(decoding: bytes[range].prefix(Self.maximumValueLength), as: UTF8.self).trimmed
    }

    /// Whether the element and all that is in it are not to be seen.
    func isHidden(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !attributes.isEmpty else { return false }
        // What is hidden until it is found is there to be read.
        if let value = value(of: .hidden, in: bytes), value.lowercased() != "until-found" { return true }
        if value(of: .ariaHidden, in: bytes)?.lowercased() == "true" { return true }
        guard let style = value(of: .style, in: bytes)?.lowercased(), style.contains("display") else { return false }
        return style.filter { !$0.isWhitespace }.split(separator: ";").contains { $0.hasPrefix("display:none") }
    }
}
