extension HTTPTransportError {
    /// What a result code of libcurl means here; see libcurl-errors(3) for the numbers.
    static func curl(code: Int, reason: String, host: String) -> HTTPTransportError {
        switch code {
        case 3, 4, 43: .invalidRequest(reason)
        case 6: .hostNotFound(host)
        case 28: .timedOut
        case 18: .incompleteBody
        case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: .tls(reason)
        // 1 is what an answer without a status line gives, as if it were another protocol.
        case 1, 8, 61, 63: .malformedResponse(reason)
        default: .connection(reason)
        }
    }
}
