public import Foundation

/// Which server is asked for models.
public enum HuggingFaceEndpoint {
    /// The public Hub.
    public static var standard: URL { URL(string: "https://huggingface.co")! }

    /// The server named by `HF_ENDPOINT` when that is a valid http or https address, else ``standard``.
    ///
    /// - Parameter environment: The variables to look at.
    /// - Returns: The address, without a slash at its end.
    public static func current(environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        environment["HF_ENDPOINT"].flatMap(url) ?? standard
    }

    /// The endpoint that a person wrote, or nil when it is no address of a server.
    package static func url(_ text: String) -> URL? {
        var text = text.trimmingCharacters(in: .whitespacesAndNewlines)[...]
        while text.hasSuffix("/") { text.removeLast() }
        guard let components = URLComponents(string: String(text)), let scheme = components.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = components.host, !host.isEmpty,
            components.user == nil, components.password == nil, components.query == nil, components.fragment == nil
        else { return nil }
        return components.url
    }
}
