package import Foundation

/// The `Link` headers of a response.
package struct LinkHeader: Sendable, Hashable {
    /// The links, in order.
    package let links: [Link]

    /// One link.
    package struct Link: Sendable, Hashable {
        /// The address as it stands in the header, possibly relative.
        package let target: String

        /// The relations, in lower case.
        package let relations: [String]
    }

    /// Reads every header of that name.
    ///
    /// What is no link is passed over.
    package init(_ headers: HTTPHeaders) {
        links = headers.values(of: "Link").flatMap(Self.links)
    }

    /// The address of the first link with a relation.
    package func target(_ relation: String, relativeTo base: URL) -> URL? {
        links.first { $0.relations.contains(relation.lowercased()) }
            .flatMap { URL(string: $0.target, relativeTo: base)?.absoluteURL }
    }

    private static func links(in value: String) -> [Link] {
        var scanner = LinkScanner(value)
        var links: [Link] = []
        while let link = scanner.nextLink() { links.append(link) }
        return links
    }
}

/// Walks through one header value: `<target>; name=value; name="value", <target> …`.
private struct LinkScanner {
    private var rest: Substring

    init(_ text: String) {
        rest = text[...]
    }

    mutating func nextLink() -> LinkHeader.Link? {
        guard let start = rest.firstIndex(of: "<") else { return nil }
        rest = rest[rest.index(after: start)...]
        guard let end = rest.firstIndex(of: ">") else { return nil }
        let target = String(rest[..<end])
        rest = rest[rest.index(after: end)...]
        var relations: [String]?
        while let (name, value) = nextParameter() {
            // Only the first one counts.
            if name == "rel", relations == nil { relations = value.lowercased().split(separator: " ").map(String.init) }
        }
        return LinkHeader.Link(target: target, relations: relations ?? [])
    }

    /// The next `; name=value`, or nil at the end of the link.
    private mutating func nextParameter() -> (name: String, value: String)? {
        skipSpaces()
        guard rest.first == ";" else { return nil }
        rest = rest.dropFirst()
        let name = take { $0 != "=" && $0 != ";" && $0 != "," }.trimmingCharacters(in: .whitespaces).lowercased()
        guard rest.first == "=" else { return (name, "") }
        rest = rest.dropFirst()
        skipSpaces()
        if rest.first == "\"" { return (name, takeQuoted()) }
        return (name, take { $0 != ";" && $0 != "," }.trimmingCharacters(in: .whitespaces))
    }

    private mutating func takeQuoted() -> String {
        rest = rest.dropFirst()
        var value = ""
        while let character = rest.popFirst(), character != "\"" {
            value.append(character == "\\" ? rest.popFirst() ?? character : character)
        }
        return value
    }

    private mutating func take(while isPart: (Character) -> Bool) -> String {
        let part = rest.prefix(while: isPart)
        rest = rest[part.endIndex...]
        return String(part)
    }

    private mutating func skipSpaces() {
        rest = rest.drop { $0 == " " || $0 == "\t" }
    }
}
