import CarbocationLocalLLM
import Foundation

/// The host of an address: a name that has to be looked up, or an address of the internet protocol.
enum WebHost: Sendable, Hashable {
    /// In small letters and in ASCII, without a dot at its end.
    case name(String)
    case address(IPAddress)

    private static let maximumLength = 253
    private static let maximumLabelLength = 63

    /// Reads a host as it stands in an address.
    ///
    /// Numbers that some programs take for an address are refused, unless they are the usual four: it must not depend on
    /// who reads the address whom it leads to.
    ///
    /// - Parameter text: The host, in brackets if it is an address of version 6.
    /// - Throws: `blocked_address` for an unusual spelling of a number, `invalid_url` for what is no host.
    init(_ text: String) throws(ToolFailure) {
        if text.hasPrefix("["), text.hasSuffix("]") {
            self = .address(try Self.bracketed(String(text.dropFirst().dropLast())))
        } else if text.utf8.allSatisfy({ $0 < 0x80 }) {
            self = try Self.plain(text)
        } else {
            self = try Self.international(text)
        }
    }

    /// The host as an address has it.
    var text: String {
        switch self {
        case .name(let name): name
        case .address(.v4(let bits)): IPAddress.v4(bits).text
        case .address(let address): "[\(address.text)]"
        }
    }

    /// Whether the name is given to this machine or its local network, whoever is asked.
    var isLocalName: Bool {
        guard case .name(let name) = self else { return false }
        return ["localhost", "local"].contains { name == $0 || name.hasSuffix(".\($0)") }
    }

    private static func bracketed(_ text: String) throws(ToolFailure) -> IPAddress {
        if text.contains("%") {
            throw ToolFailure(
                code: "blocked_address", "An address with a zone is one of a local network. Name another host.")
        }
        guard let address = IPAddress(text), case .v6 = address else {
            throw .invalidURL("the host in brackets is no address of version 6")
        }
        return address
    }

    private static func plain(_ text: String) throws(ToolFailure) -> WebHost {
        var name = text.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        guard !name.isEmpty else { throw .invalidURL("it has no host") }
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard name.utf8.count <= maximumLength, name.utf8.allSatisfy(isHostByte),
            labels.allSatisfy({ (1...maximumLabelLength).contains($0.count) })
        else { throw .invalidURL("its host is no name") }
        guard let last = labels.last, isNumber(last) else { return .name(name) }
        guard let address = IPAddress(name) else {
            throw ToolFailure(
                code: "blocked_address",
                "The host \(LLMJSONValue.string(name).quoted) is an unusual spelling of an address. Name the host.")
        }
        return .address(address)
    }

    /// A name with letters of other scripts, as the system maps it to ASCII.
    private static func international(_ text: String) throws(ToolFailure) -> WebHost {
        guard text.unicodeScalars.allSatisfy({ !$0.isASCII || isHostByte(UInt8($0.value)) }),
            let mapped = URLComponents(string: "http://\(text)/")?.encodedHost,
            mapped.utf8.allSatisfy({ $0 < 0x80 })
        else { throw .invalidURL("its host is no name") }
        let host = try plain(mapped)
        guard case .name = host else {
            throw ToolFailure(code: "blocked_address", "The host is an unusual spelling of an address. Name the host.")
        }
        return host
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Whether programs that read numbers in hosts would read one here.
    private static func isNumber(_ label: Substring.UTF8View) -> Bool {
        if label.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        return label.starts(with: "0x".utf8)
            && label.dropFirst(2).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

extension ToolFailure {
    /// The failure of a text that is no address; the reason is a clause.
    static func invalidURL(_ reason: String) -> ToolFailure {
        ToolFailure(
            code: "invalid_url",
            "This is no address of a webpage: \(reason). Give one such as https://example.com/page.")
    }
}
