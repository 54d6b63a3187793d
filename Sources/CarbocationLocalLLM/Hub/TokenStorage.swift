import Foundation

/// Keeps secrets by account.
protocol TokenStorage: Sendable {
    func token(for account: String) throws -> String?
    func save(_ token: String, for account: String) throws
    func deleteToken(for account: String) throws
}

/// Why tokens could not be read or written.
///
/// No case holds a token.
enum TokenStorageError: Error, LocalizedError, Sendable, Equatable {
    /// The address names no server.
    case noServer
    /// Others may read the file.
    case readableByOthers(path: String)
    /// The file is not what this store writes.
    case damaged(path: String)
    /// The system refused; the text is its reason.
    case system(String)

    var errorDescription: String? {
        switch self {
        case .noServer: "The address names no server to keep a token for."
        case .readableByOthers(let path):
            "The token file \(path) can be read by others. Take their permissions away (chmod 600), and renew the token."
        case .damaged(let path): "The token file \(path) is damaged. Delete it and sign in again."
        case .system(let reason): "The tokens cannot be read or written: \(reason)."
        }
    }
}
