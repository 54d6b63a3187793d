/// The transports to choose from.
package enum HTTPTransports {
    /// The transport of this platform, shared so that connections are.
    package static let platformDefault: any HTTPTransport = makeDefault()

    private static func makeDefault() -> any HTTPTransport {
        #if canImport(Darwin)
            URLSessionTransport()
        #else
            CurlTransport()
        #endif
    }
}
