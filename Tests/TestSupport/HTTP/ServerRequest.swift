import Foundation

/// A request as the test server received it.
public struct ServerRequest: Sendable, Hashable {
    /// The method, such as `GET`.
    public let method: String

    /// The request target as it was sent, with its query.
    public let target: String

    /// The headers, in order.
    public let headers: [ServerHeader]

    /// The body, if one was announced.
    public let body: [UInt8]

    /// The port of the server that was asked.
    public let port: UInt16

    /// The connection it came on, counted from 1.
    public let connection: Int

    /// The target without its query, still percent-encoded.
    public var path: String {
        String(target.prefix { $0 != "?" })
    }

    /// The first value of a query item, decoded.
    public func query(_ name: String) -> String? {
        URLComponents(string: target)?.queryItems?.first { $0.name == name }?.value
    }

    /// The first value of a header, whose name is compared without regard to case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// One header field.
public struct ServerHeader: Sendable, Hashable {
    /// The name, as sent.
    public var name: String

    /// The value, as sent.
    public var value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
