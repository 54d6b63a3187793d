package import Foundation

/// A response that sent the client to another address.
package struct HTTPRedirect: Sendable, Hashable {
    /// The address that was asked.
    package let url: URL

    /// The response's head, whose headers may tell of the file that is elsewhere.
    package let head: HTTPResponseHead
}
