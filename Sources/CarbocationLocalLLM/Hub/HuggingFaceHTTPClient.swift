public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends the resolver's requests over the platform's transport.
///
/// Redirects are followed only within the origin of the request, so neither the request nor a token goes anywhere else.
/// Answers are limited to 16 MiB.
public struct HuggingFaceHTTPClient: HuggingFaceModelResolverHTTPClient {
    private static let maximumBytes = 16 << 20

    private let transport: any HTTPTransport

    /// Creates a client.
    public init() {
        self.init(transport: HTTPTransports.platformDefault)
    }

    package init(transport: any HTTPTransport) {
        self.transport = transport
    }

    /// Sends a request and collects the whole answer.
    ///
    /// - Parameter request: A `GET` request; its headers and timeout are used.
    /// - Returns: The body and head of the answer; an error status is a normal result.
    /// - Throws: ``HuggingFaceModelResolverError/invalidURL(_:)`` for an address that cannot be asked, what kept the
    ///   answer from arriving, or `CancellationError`.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard let url = request.url, let origin = HTTPOrigin(url) else {
            throw HuggingFaceModelResolverError.invalidURL(request.url?.absoluteString ?? "")
        }
        var headers = HTTPHeaders()
        for (name, value) in request.allHTTPHeaderFields ?? [:] { headers[name] = value }
        let timeout = request.timeoutInterval > 0 ? request.timeoutInterval : 60
        let client = HTTPClient(transport: OriginBoundTransport(base: transport, origin: origin))
        let response = try await client.data(
            for: HTTPRequest(
                method: request.httpMethod ?? "GET", url: url, headers: headers, timeout: timeout,
                acceptsCompression: true),
            limit: Self.maximumBytes)
        return (response.body, try Self.head(of: response))
    }

    private static func head(of response: HTTPResponse) throws -> HTTPURLResponse {
        var fields: [String: String] = [:]
        for field in response.head.headers.fields {
            // Repeated fields mean the same as one with commas.
            let name = fields.keys.first { $0.lowercased() == field.name.lowercased() } ?? field.name
            fields[name] = fields[name].map { "\($0), \(field.value)" } ?? field.value
        }
        guard
            let head = HTTPURLResponse(
                url: response.destination.url, statusCode: response.head.status, httpVersion: "HTTP/1.1",
                headerFields: fields)
        else { throw HuggingFaceModelResolverError.malformedResponse("it has no proper head") }
        return head
    }
}

/// A transport that refuses requests to any other origin.
private struct OriginBoundTransport: HTTPTransport {
    let base: any HTTPTransport
    let origin: HTTPOrigin

    func perform(_ request: HTTPRequest, receiver: any HTTPResponseReceiver) async throws {
        guard HTTPOrigin(request.url) == origin else {
            throw HuggingFaceModelResolverError.malformedResponse("it leads to another server")
        }
        try await base.perform(request, receiver: receiver)
    }
}
