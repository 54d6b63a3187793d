/// The chat templates of a file.
package struct GGUFChatTemplates: Sendable, Equatable {
    static let defaultKey = "tokenizer.chat_template"
    static let namesKey = "tokenizer.chat_templates"
    static let namedPrefix = "tokenizer.chat_template."

    /// The template without a name; it is never guessed from the named ones.
    package let standard: String?

    /// The further templates by name; names that are listed without a text are left out.
    package let named: [String: String]

    init(header: GGUFHeader) {
        standard = header[Self.defaultKey]?.string
        let names = header[Self.namesKey]?.strings ?? []
        let texts = names.compactMap { name in
            header[Self.namedPrefix + name]?.string.map { (name, $0) }
        }
        named = Dictionary(texts, uniquingKeysWith: { first, _ in first })
    }

    /// The template for a conversation: that for tools where there is one and tools are offered, else the standard.
    ///
    /// Nil means that the file has no template for the purpose, even if it has others.
    package func template(offeringTools: Bool) -> String? {
        offeringTools ? named["tool_use"] ?? standard : standard
    }
}
