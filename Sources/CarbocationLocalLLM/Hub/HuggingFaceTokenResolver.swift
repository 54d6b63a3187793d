public import Foundation

/// Finds the access token to use for a server.
public enum HuggingFaceTokenResolver {
    /// The first of these that is not blank: `explicit`, the token store, `HF_TOKEN`, the token file of the Hub's own
    /// tools (`$HF_HOME/token`).
    ///
    /// A store or file that cannot be read counts as empty.
    ///
    /// - Parameters:
    ///   - explicit: A token that the caller was given.
    ///   - endpoint: The server that the token is for.
    ///   - store: Where tokens were saved.
    ///   - environment: The variables to look at.
    /// - Returns: The token without white space around it, or nil when there is none.
    public static func token(
        explicit: String? = nil, endpoint: URL = HuggingFaceEndpoint.current(),
        store: HuggingFaceTokenStore = .shared,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        present(explicit) ?? present(try? store.token(for: endpoint)) ?? present(environment["HF_TOKEN"])
            ?? present(tokenFile(environment: environment))
    }

    private static func present(_ text: String?) -> String? {
        let trimmed = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return trimmed.isEmpty ? nil : trimmed
    }

    private static func tokenFile(environment: [String: String]) -> String? {
        let url = HuggingFaceHome.directory(environment: environment).appendingPathComponent("token")
        guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? handle.close() }
        // A token is short; a file that is not cannot be one and need not be read to its end.
        guard let data = try? handle.read(upToCount: maximumTokenBytes + 1), data.count <= maximumTokenBytes else {
            return nil
        }
        return String(data: data, encoding: .utf8)
    }

    private static let maximumTokenBytes = 16 * 1024
}
