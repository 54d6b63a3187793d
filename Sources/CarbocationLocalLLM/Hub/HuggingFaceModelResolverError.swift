public import Foundation

/// Why a reference could not be resolved.
///
/// Descriptions are sentences for the person at the screen, each with a remedy. They never hold a token.
public enum HuggingFaceModelResolverError: Error, LocalizedError, Sendable, Equatable {
    /// The repository is not of the form `owner/name`.
    case invalidRepository(String)
    /// No address can be made of the endpoint.
    case invalidURL(String)
    /// The server wants to know who asks for this repository, or refused the token.
    case unauthorized(String)
    /// The token is known, but has no access to this repository.
    case gated(String)
    /// The repository does not exist, or is hidden from the token.
    case notFound(String)
    /// The server answered with this status.
    case httpStatus(Int)
    /// The answer is not what the Hub would send; the text says in what way.
    case malformedResponse(String)
    /// The repository has no branch, tag or pull request of this name.
    case unknownRevision(String)
    /// The repository holds no model in GGUF format.
    case noGGUFFiles(String)
    /// The repository holds no file of this path.
    case fileNotFound(String)
    /// The repository lacks these parts of a split model.
    case missingSplitPart([String])
    /// The repository holds no file of this quantisation.
    case quantizationNotFound(String)

    /// A sentence that says what went wrong and what helps.
    public var errorDescription: String? { "\(problem) \(remedy)" }

    /// What the user can do about it.
    public var recoverySuggestion: String? { remedy }

    private var problem: String {
        switch self {
        case .invalidRepository(let repo): "“\(Self.shown(repo))” is not the name of a repository."
        case .invalidURL(let text): "“\(Self.shown(text))” is not an address that models can be loaded from."
        case .unauthorized(let repo): "The server does not let this request see \(Self.shown(repo))."
        case .gated(let repo): "Access to \(Self.shown(repo)) has not been granted."
        case .notFound(let repo): "\(Self.shown(repo)) was not found, or it is private."
        case .httpStatus(let status): "The server answered with status \(status)."
        case .malformedResponse(let reason): "The server's answer cannot be used: \(Self.shown(reason))."
        case .unknownRevision(let name): "There is no branch, tag or commit “\(Self.shown(name))”."
        case .noGGUFFiles(let repo): "\(Self.shown(repo)) holds no models in GGUF format."
        case .fileNotFound(let path): "There is no file “\(Self.shown(path))”."
        case .missingSplitPart(let names): "Parts of the model are missing: \(Self.list(names))."
        case .quantizationNotFound(let tag): "There is no file of the quantisation \(Self.shown(tag))."
        }
    }

    private var remedy: String {
        switch self {
        case .invalidRepository: "Write it as owner/name."
        case .invalidURL: "Check the endpoint."
        case .unauthorized: "Sign in with a valid access token; if one is set, it was rejected."
        case .gated: "Accept the model's licence on its page, with the account that the token belongs to."
        case .notFound: "Check the spelling, or use a token that may see it."
        case .httpStatus: "Try again later."
        case .malformedResponse: "Check the endpoint, or try again later."
        case .unknownRevision: "Check the spelling, or leave the revision out."
        case .noGGUFFiles: "Choose a repository with .gguf files, often one whose name ends in -GGUF."
        case .fileNotFound: "Choose another file of the repository."
        case .missingSplitPart: "Choose another file, or ask the repository's owner."
        case .quantizationNotFound: "Choose another quantisation, or leave it out."
        }
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(5).map(shown).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
    }

    /// Text from outside, cut and without control characters.
    private static func shown(_ text: String) -> String {
        let clean = String(String.UnicodeScalarView(text.unicodeScalars.prefix(200).filter { $0.value >= 0x20 }))
        return text.unicodeScalars.count > 200 ? clean + "…" : clean
    }
}
