import Foundation

/// What to do about an error during a transfer.
enum DownloadFailure {
    /// Try the request again, after at least the time that the server asked for.
    case retry(RetryableFailure)
    /// Start the file over.
    case restart
    /// Give up.
    case final(any Error)

    init(_ error: any Error, url: URL) {
        switch error {
        case let failure as RetryableFailure: self = .retry(failure)
        case is RemoteFileChanged: self = .restart
        case let failure as FileSystemFailure: self = .final(ModelDownloaderError.fileSystem(failure.reason))
        case let failure as HTTPTransportError: self = Self.transport(failure, url: url)
        case let failure as HTTPRedirectError: self = .final(Self.redirect(failure))
        default: self = .final(error)
        }
    }

    private static func transport(_ failure: HTTPTransportError, url: URL) -> DownloadFailure {
        switch failure {
        case .hostNotFound(let host): .retry(RetryableFailure(reason: "the server \(host) cannot be found"))
        case .connection(let reason): .retry(RetryableFailure(reason: reason))
        case .timedOut: .retry(RetryableFailure(reason: "the server stopped sending"))
        case .incompleteBody: .retry(RetryableFailure(reason: "the connection ended early"))
        case .malformedResponse(let reason): .retry(RetryableFailure(reason: reason))
        // A certificate does not become good by asking again.
        case .forbiddenPeer(let host):
            .final(ModelDownloaderError.retriesExhausted("\(host) is at a forbidden address"))
        case .tls(let reason): .final(ModelDownloaderError.retriesExhausted(reason))
        case .bodyTooLarge: .final(ModelDownloaderError.incompleteResponse)
        case .invalidRequest: .final(ModelDownloaderError.badURL(Self.shown(url)))
        }
    }

    private static func redirect(_ failure: HTTPRedirectError) -> ModelDownloaderError {
        switch failure {
        case .tooMany, .loop: .retriesExhausted("the server redirects without end")
        case .insecure(let target): .badURL(URL(string: target).map(shown) ?? "http:")
        case .unsupportedScheme(let scheme): .badURL("\(scheme):")
        case .invalidLocation: .badURL("")
        }
    }

    /// The address without what may be secret: user, password, and a query that may hold a signature.
    static func shown(_ url: URL) -> String {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "" }
        (components.user, components.password, components.query, components.fragment) = (nil, nil, nil, nil)
        return components.string ?? ""
    }
}
