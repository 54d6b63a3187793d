package import Foundation

/// An access token that is fit to stand in a header.
///
/// Its value never appears in a description.
package struct BearerToken: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The value of the `Authorization` header.
    package let headerValue: String

    /// Trims the text; nil when nothing is left, or when it could not stand in a header.
    package init?(_ text: String?) {
        guard let text = text?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        headerValue = "Bearer \(text)"
    }

    /// The token, unless sending it to the address would show it to others: it must be https, or this machine.
    package init?(_ text: String?, for url: URL) {
        guard let origin = HTTPOrigin(url), origin.isEncrypted || origin.isLoopback else { return nil }
        self.init(text)
    }

    package var description: String { "token" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
