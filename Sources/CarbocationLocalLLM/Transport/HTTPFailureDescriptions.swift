import Foundation

extension HTTPTransportError: LocalizedError {
    /// A sentence that says what went wrong and what helps.
    package var errorDescription: String? {
        switch self {
        case .invalidRequest(let problem): "The request cannot be sent: \(problem). Check the address."
        case .hostNotFound(let host): "The server \(host) cannot be found. Check its name and the network."
        case .connection(let reason): "The server cannot be reached: \(Self.clause(reason)). Check the network."
        case .tls(let reason):
            "The connection is not secure: \(Self.clause(reason)). Check the address and this computer's clock."
        case .timedOut: "The server does not answer. Try again later."
        case .forbiddenPeer(let host): "The server \(host) is at an address that may not be asked. Check its name."
        case .incompleteBody: "The connection ended early. Try again."
        case .bodyTooLarge: "The server's answer is too large. Check the address."
        case .malformedResponse(let reason):
            "The server's answer cannot be read: \(Self.clause(reason)). Check the address."
        }
    }

    /// A reason as a part of a sentence, whether it was one itself or not.
    private static func clause(_ reason: String) -> String {
        reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    }
}

extension HTTPRedirectError: LocalizedError {
    /// A sentence that says what went wrong and what helps.
    package var errorDescription: String? {
        switch self {
        case .tooMany, .loop: "The server redirects without end. Try again later."
        case .insecure: "The server redirects to an unencrypted address, which is not followed. Check the address."
        case .unsupportedScheme, .invalidLocation: "The server redirects to no address of a file. Check the address."
        }
    }
}
