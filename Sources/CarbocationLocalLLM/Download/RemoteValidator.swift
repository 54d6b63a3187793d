/// What a server says to tell one version of a file from another.
struct RemoteValidator: Sendable, Hashable {
    var etag: String?
    var lastModified: String?

    init(etag: String?, lastModified: String?) {
        self.etag = Self.present(etag)
        self.lastModified = Self.present(lastModified)
    }

    /// What says nothing agrees with everything.
    static let unknown = RemoteValidator(etag: nil, lastModified: nil)

    init(_ head: HTTPResponseHead) {
        self.init(etag: head.headers["ETag"], lastModified: head.headers["Last-Modified"])
    }

    /// The value of `If-Range`; nil when nothing is strong enough to join parts of a file by.
    var ifRange: String? {
        if let etag, !etag.hasPrefix("W/") { return etag }
        // A weak tag promises nothing about bytes, and a date beside it is no better.
        return etag == nil ? lastModified : nil
    }

    /// Whether both describe the same version, as far as they can tell.
    func agrees(with other: RemoteValidator) -> Bool {
        if let etag, let otherTag = other.etag { return Self.opaque(etag) == Self.opaque(otherTag) }
        if let lastModified, let otherDate = other.lastModified { return lastModified == otherDate }
        return true
    }

    private static func opaque(_ etag: String) -> Substring {
        etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...]
    }

    /// Nil for blank text, and for text that cannot stand in a header.
    private static func present(_ text: String?) -> String? {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        return text
    }
}
