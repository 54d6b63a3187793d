public import Foundation

extension HuggingFaceModelReference {
    /// Reads what a person types or pastes: `owner/repo`, `owner/repo:Q4_K_M`, a path to a `.gguf` file in a
    /// repository, an `hf://` path, or the address of a page on the Hub.
    ///
    /// - Parameters:
    ///   - text: The text; white space around it is ignored.
    ///   - endpoint: The server that the reference will point to. Links to its host are understood as well as links to
    ///     the Hub itself.
    /// - Returns: The reference, or nil when the text names no model, another server, or an unsafe path.
    public static func parse(
        _ text: String, endpoint: URL = HuggingFaceEndpoint.standard
    ) -> HuggingFaceModelReference? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty, !trimmed.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            return nil
        }
        guard let location = ReferenceLocation(trimmed, endpoint: endpoint) else { return nil }
        var components = location.components
        guard components.count >= 2 else { return nil }
        var parsed = Self(repo: "", endpoint: endpoint)
        guard parsed.takeRepository(owner: components[0], name: components[1], location: location) else { return nil }
        components.removeFirst(2)
        guard !components.isEmpty else { return parsed }
        // Only the whole repository can be narrowed by a quantisation.
        guard parsed.quantization == nil else { return nil }
        return parsed.takeRest(components, location: location) ? parsed : nil
    }

    /// Sections of the Hub that look like an owner.
    private static let reservedOwners: Set<String> = ["datasets", "spaces"]

    private mutating func takeRepository(owner: Substring, name: Substring, location: ReferenceLocation) -> Bool {
        guard let owner = owner.removingPercentEncoding, var name = Optional(name),
            !Self.reservedOwners.contains(owner.lowercased())
        else { return false }
        if location.kind == .fileSystemPath, let at = name.firstIndex(of: "@") {
            guard let named = Self.revision(name[name.index(after: at)...]) else { return false }
            revision = named
            name = name[..<at]
        } else if let colon = name.firstIndex(of: ":") {
            guard takeQuantization(name[name.index(after: colon)...]) else { return false }
            name = name[..<colon]
        }
        guard let name = name.removingPercentEncoding else { return false }
        repo = "\(owner)/\(name)"
        return HuggingFaceRepository.isValid(repo)
    }

    private mutating func takeQuantization(_ tag: Substring) -> Bool {
        guard tag.utf8.allSatisfy(HuggingFaceRepository.isNameByte) else { return false }
        quantization = tag.isEmpty ? nil : tag.uppercased()
        return true
    }

    /// Reads what follows the repository: a route with a revision, or the path of a file.
    private mutating func takeRest(_ components: [Substring], location: ReferenceLocation) -> Bool {
        guard let route = location.route(of: components) else { return takeFile(components) }
        guard components.count >= 2, let named = Self.revision(components[1]) else { return false }
        revision = named
        let path = Array(components.dropFirst(2))
        guard route == .tree else { return takeFile(path) }
        guard !path.isEmpty else { return true }
        directory = RepositoryPath(percentEncoded: path)?.text
        return directory != nil
    }

    private mutating func takeFile(_ components: [Substring]) -> Bool {
        guard let path = RepositoryPath(percentEncoded: components), path.isGGUF else { return false }
        file = path.text
        return true
    }

    private static func revision(_ encoded: Substring) -> String? {
        guard let name = encoded.removingPercentEncoding else { return nil }
        return RepositoryPath(name) == nil ? nil : name
    }
}
