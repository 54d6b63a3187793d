public import Foundation

/// Keeps access tokens, one for each server: in the Keychain on Apple platforms, else in a file for this user alone.
///
/// Tokens are stored for the server's host, and for its port where that is not the usual one.
public struct HuggingFaceTokenStore: Sendable {
    private let storage: any TokenStorage

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - service: The Keychain service, which keeps apps apart.
    ///   - directory: The folder of the token file, `hf-tokens.json`. Where there is a Keychain, giving a folder means
    ///     not to use it; elsewhere nil means `carbocation-local-llm` in `$XDG_CONFIG_HOME` or `~/.config`.
    public init(
        service: String = "com.carbocation.CarbocationLocalLLM.HuggingFaceToken", directory: URL? = nil
    ) {
        self.init(service: service, directory: directory, environment: ProcessInfo.processInfo.environment)
    }

    package init(service: String, directory: URL?, environment: [String: String]) {
        #if canImport(Security)
            guard let directory else {
                storage = KeychainTokenStorage(service: service)
                return
            }
            storage = FileTokenStorage(service: service, directory: directory)
        #else
            storage = FileTokenStorage(
                service: service, directory: directory ?? FileTokenStorage.defaultDirectory(environment: environment))
        #endif
    }

    /// The store that all apps of this user share.
    public static var shared: HuggingFaceTokenStore { HuggingFaceTokenStore() }

    /// The token for a server.
    ///
    /// - Parameter endpoint: The server.
    /// - Returns: The token, or nil when none was saved.
    /// - Throws: An error that says why the store cannot be read; on Linux also when others may read the file.
    public func token(for endpoint: URL) throws -> String? {
        guard let token = try storage.token(for: try account(of: endpoint)), !token.isEmpty else { return nil }
        return token
    }

    /// Saves a token, in place of an earlier one; a blank one deletes it.
    ///
    /// - Parameters:
    ///   - token: The token; white space around it is dropped.
    ///   - endpoint: The server.
    /// - Throws: An error that says why the store cannot be written. It never holds the token.
    public func save(_ token: String, for endpoint: URL) throws {
        let token = token.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty else { return try deleteToken(for: endpoint) }
        try storage.save(token, for: try account(of: endpoint))
    }

    /// Deletes the token for a server; that there is none is no error.
    ///
    /// - Parameter endpoint: The server.
    /// - Throws: An error that says why the store cannot be written.
    public func deleteToken(for endpoint: URL) throws {
        try storage.deleteToken(for: try account(of: endpoint))
    }

    private func account(of endpoint: URL) throws -> String {
        guard let host = endpoint.host?.lowercased(), !host.isEmpty else { throw TokenStorageError.noServer }
        let usualPort = endpoint.scheme?.lowercased() == "http" ? 80 : 443
        guard let port = endpoint.port, port != usualPort else { return host }
        return "\(host):\(port)"
    }
}
