import Foundation

extension HTTPRequest {
    /// Refuses what must not or cannot be sent: other schemes, credentials in the address, headers that would not end
    /// where they seem to.
    func validate() throws(HTTPTransportError) {
        guard HTTPOrigin(url) != nil else {
            throw .invalidRequest("Only http and https addresses with a host can be asked.")
        }
        guard url.user(percentEncoded: true) == nil, url.password(percentEncoded: true) == nil else {
            throw .invalidRequest("The address contains a user name or password.")
        }
        guard Self.isToken(method) else { throw .invalidRequest("The method is no word.") }
        for field in headers.fields {
            guard Self.isToken(field.name) else {
                throw .invalidRequest("A header's name has characters that no name may have.")
            }
            // The value is not repeated here: it may be a secret.
            guard !field.value.utf8.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) else {
                throw .invalidRequest("The value of the header \(field.name) contains control characters.")
            }
        }
    }

    /// The timeout within what clocks can count, whatever was set.
    var boundedTimeout: TimeInterval {
        timeout > 0 ? min(timeout, 86_400 * 365) : 0
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(tokenCharacters.contains)
    }

    private static let tokenCharacters = Set(
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
}
