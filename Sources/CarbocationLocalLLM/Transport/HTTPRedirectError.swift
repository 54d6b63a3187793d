/// Why a redirect was not followed.
package enum HTTPRedirectError: Error, Sendable, Equatable {
    /// More redirects than the client follows.
    case tooMany(limit: Int)

    /// The same address came a second time.
    case loop(String)

    /// From https to http.
    case insecure(String)

    /// To something that is not http or https.
    case unsupportedScheme(String)

    /// The location is no address, or one with credentials in it.
    case invalidLocation
}
