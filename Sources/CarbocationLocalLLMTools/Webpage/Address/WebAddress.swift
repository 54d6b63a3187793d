import CarbocationLocalLLM
import Foundation

/// An http or https address, read so strictly that it is known whom a request for it asks, and for what.
struct WebAddress: Sendable, Hashable {
    let isEncrypted: Bool
    let host: WebHost

    /// The port, if the address names one.
    let explicitPort: Int?

    /// Path and query as they are sent; empty for the root.
    let target: String

    /// The same address for Foundation.
    let url: URL

    private static let maximumLength = 8_192

    /// Reads an address.
    ///
    /// Path and query stay as they are: what is encoded is not encoded again, and only what must not stand in an address
    /// at all gets encoded. What comes after a `#` is left out.
    ///
    /// - Parameter text: The address, without white space around it.
    /// - Throws: `unsupported_scheme`, `invalid_url` or `blocked_address`.
    init(_ text: String) throws(ToolFailure) {
        guard text.utf8.count <= Self.maximumLength else { throw .invalidURL("it is too long") }
        let (scheme, rest) = try Self.scheme(of: text)
        isEncrypted = scheme == "https"
        guard !text.unicodeScalars.contains(where: Self.isBlank) else {
            throw .invalidURL("\(LLMJSONValue.string(text).quoted) has a blank inside")
        }
        guard rest.hasPrefix("//") else {
            throw .invalidURL("\(LLMJSONValue.string(text).quoted) has no host")
        }
        let start = rest.dropFirst(2)
        let authority = start.prefix { !"/?#".contains($0) }
        // A password is not repeated.
        guard !authority.contains("@") else { throw .invalidURL("it holds a user name") }
        do {
            (host, explicitPort) = try Self.hostAndPort(authority)
        } catch {
            // What is wrong is easier to see in the whole.
            guard error.code == "invalid_url" else { throw error }
            throw ToolFailure(code: error.code, error.message + " Given: \(LLMJSONValue.string(text).quoted)")
        }
        target = Self.encoded(start.dropFirst(authority.count).prefix { $0 != "#" })
        let plain = Self.text(isEncrypted, host, explicitPort, target)
        guard let url = URL(string: plain), url.absoluteString == plain else {
            throw .invalidURL("\(LLMJSONValue.string(text).quoted) cannot be read")
        }
        self.url = url
    }

    /// The address as it is requested.
    var text: String { Self.text(isEncrypted, host, explicitPort, target) }

    /// The port that is connected to.
    var port: Int { explicitPort ?? (isEncrypted ? 443 : 80) }

    /// The address without path and query.
    var origin: String { Self.text(isEncrypted, host, explicitPort, "") }

    private static func text(_ isEncrypted: Bool, _ host: WebHost, _ port: Int?, _ target: String) -> String {
        "\(isEncrypted ? "https" : "http")://\(host.text)\(port.map { ":\($0)" } ?? "")\(target)"
    }

    /// The scheme that a text begins with, in small letters, if it begins with one.
    static func schemePrefix(of text: some StringProtocol) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text[..<colon]
        guard let first = scheme.utf8.first, isLetter(first),
            scheme.utf8.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) })
        else { return nil }
        return scheme.lowercased()
    }

    private static func scheme(of text: String) throws(ToolFailure) -> (scheme: String, rest: Substring) {
        guard let scheme = schemePrefix(of: text) else {
            throw .invalidURL("\(LLMJSONValue.string(text).quoted) does not begin with https://")
        }
        let rest = text.dropFirst(scheme.count + 1)
        guard scheme == "http" || scheme == "https" else {
            // The name of a host with a port looks like a scheme.
            guard !scheme.contains(".") || rest.hasPrefix("//") else {
                throw .invalidURL("\(LLMJSONValue.string(text).quoted) does not begin with https://")
            }
            throw ToolFailure(
                code: "unsupported_scheme",
                "Addresses that begin with \(LLMJSONValue.string(scheme).quoted) cannot be loaded. "
                    + "Give an http or https address.")
        }
        return (scheme, rest)
    }

    private static func hostAndPort(_ authority: Substring) throws(ToolFailure) -> (WebHost, Int?) {
        let isBracketed = authority.hasPrefix("[")
        let hostEnd =
            isBracketed
            ? authority.firstIndex(of: "]").map { authority.index(after: $0) } ?? authority.endIndex
            : authority.firstIndex(of: ":") ?? authority.endIndex
        let host = authority[..<hostEnd]
        guard !host.isEmpty else { throw .invalidURL("it has no host") }
        return (try WebHost(String(host)), try port(authority[hostEnd...]))
    }

    private static func port(_ text: Substring) throws(ToolFailure) -> Int? {
        guard !text.isEmpty, text != ":" else { return nil }
        let digits = text.dropFirst()
        guard text.hasPrefix(":"), digits.utf8.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(digits), port <= Int(UInt16.max)
        else { throw .invalidURL("its port is no number up to 65535") }
        return port
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }

    /// Encodes what must not stand in an address, and nothing else.
    private static func encoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        let source = Array(text.utf8)
        for (index, byte) in source.enumerated() {
            if byte == UInt8(ascii: "%") ? isEscape(source[(index + 1)...]) : allowed.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.prefix(2).count == 2
            && bytes.prefix(2).allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
            }
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    private static let allowed = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?".utf8)
}
