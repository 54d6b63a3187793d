public import Foundation

/// Why a download failed.
///
/// Descriptions are sentences for the person at the screen, each with a remedy. They never hold a token.
public enum ModelDownloaderError: Error, LocalizedError, Sendable, Equatable {
    /// The text is no http or https address.
    case badURL(String)
    /// The server answered with this status, and trying again would not help.
    case httpStatus(Int)
    /// The server wants to know who asks, or refused the token.
    case unauthorized
    /// The token is known, but has no access.
    case gated
    /// The file does not exist, or is hidden from the token.
    case notFound
    /// The file arrived whole, but is not the one that was expected.
    ///
    /// It was deleted.
    case hashMismatch(expected: String, actual: String)
    /// The file has another size than was expected.
    case sizeMismatch(expected: Int64, actual: Int64)
    /// The server's answers do not make up a whole file.
    case incompleteResponse
    /// The server sent something else than a model; the text says what.
    case notAGGUF(String)
    /// The volume has not enough room for what is still to come.
    case insufficientDiskSpace(required: Int64, available: Int64)
    /// All tries failed; the text is the reason of the last.
    ///
    /// What has arrived is kept.
    case retriesExhausted(String)
    /// A file or folder could not be read or written; the text is the system's reason.
    ///
    /// What has arrived is kept.
    case fileSystem(String)

    /// A sentence that says what went wrong and what helps.
    public var errorDescription: String? { "\(problem) \(remedy)" }

    /// What the user can do about it.
    public var recoverySuggestion: String? { remedy }

    private var problem: String {
        switch self {
        case .badURL(let text): "“\(text.prefix(200))” cannot be downloaded: it is no http or https address of a file."
        case .httpStatus(let status): "The server answered with status \(status)."
        case .unauthorized: "The server does not let this request have the file."
        case .gated: "Access to this model has not been granted."
        case .notFound: "The file was not found, or it is private."
        case .hashMismatch(let expected, let actual):
            "The downloaded file is damaged: its SHA-256 is \(actual) instead of \(expected.prefix(64))."
        case .sizeMismatch(let expected, let actual): "The file has \(actual) bytes instead of \(expected)."
        case .incompleteResponse: "The server did not send the whole file."
        case .notAGGUF(let what): "The server sent \(what.prefix(200)) instead of a GGUF model."
        case .insufficientDiskSpace(let required, let available):
            "The download needs \(Self.size(required)) of free space, and there are \(Self.size(available))."
        case .retriesExhausted(let reason): "The download was interrupted too often: \(reason.prefix(200))."
        case .fileSystem(let reason): "The download cannot be stored: \(reason.prefix(400))."
        }
    }

    private var remedy: String {
        switch self {
        case .badURL: "Check the address."
        case .httpStatus: "Try again later."
        case .unauthorized: "Sign in with a valid access token; if one is set, it was rejected."
        case .gated: "Accept the model's licence on its page, with the account that the token belongs to."
        case .notFound: "Check the address, or use a token that may see it."
        case .hashMismatch, .sizeMismatch: "Download it again; if that does not help, choose another source."
        case .incompleteResponse, .retriesExhausted: "Resume the download; what has arrived is kept."
        case .notAGGUF: "Check the address, and whether the file needs a licence or a sign-in."
        case .insufficientDiskSpace: "Make room and resume."
        case .fileSystem: "Check the space and permissions of the models folder, then resume."
        }
    }

    private static func size(_ bytes: Int64) -> String {
        ByteCountFormatter.string(fromByteCount: bytes, countStyle: .file)
    }
}
