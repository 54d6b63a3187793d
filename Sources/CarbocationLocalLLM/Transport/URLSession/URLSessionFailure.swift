import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPTransportError {
    /// What an error of URLSession means here.
    static func urlSession(_ error: any Error, host: String) -> HTTPTransportError {
        guard let error = error as? URLError else { return .connection(error.localizedDescription) }
        return switch error.code {
        case .unsupportedURL, .badURL: .invalidRequest(error.localizedDescription)
        case .cannotFindHost, .dnsLookupFailed: .hostNotFound(host)
        case .timedOut: .timedOut
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            .tls(error.localizedDescription)
        case .badServerResponse, .cannotDecodeContentData, .cannotDecodeRawData, .cannotParseResponse:
            .malformedResponse(error.localizedDescription)
        default: .connection(error.localizedDescription)
        }
    }
}
