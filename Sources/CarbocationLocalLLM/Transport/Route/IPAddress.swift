import Foundation

/// An address of the internet protocol, of version 4 or 6.
package enum IPAddress: Sendable, Hashable {
    case v4(UInt32)
    case v6(high: UInt64, low: UInt64)

    /// Reads an address as it is usually written: four decimal numbers, or hexadecimal groups with colons.
    ///
    /// Spellings that only some programs understand give nil: fewer than four numbers, leading zeros, other bases, zones.
    package init?(_ text: String) {
        if let address = Self.decimalGroups(text) {
            self = .v4(address)
        } else if text.utf8.contains(UInt8(ascii: ":")), text.utf8.count <= 45 {
            var bytes = in6_addr()
            guard inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
            self = withUnsafeBytes(of: bytes) { Self.sixteenBytes($0) }
        } else {
            return nil
        }
    }

    /// Reads the address out of a `sockaddr` of the system; nil if it is of another family.
    ///
    /// - Parameters:
    ///   - family: `AF_INET` or `AF_INET6`.
    ///   - socketAddress: A `sockaddr_in` or `sockaddr_in6`, as the family says.
    package init?(family: Int32, socketAddress: UnsafeRawPointer) {
        switch family {
        case AF_INET:
            self = .v4(UInt32(bigEndian: socketAddress.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
        case AF_INET6:
            self = Self.sixteenBytes(UnsafeRawBufferPointer(start: socketAddress + 8, count: 16))
        default: return nil
        }
    }

    /// The address as it is usually written.
    package var text: String {
        switch self {
        case .v4(let bits):
            return [24, 16, 8, 0].map { String((bits >> $0) & 0xFF) }.joined(separator: ".")
        case .v6(let high, let low):
            let groups = [high, low].flatMap { half in [48, 32, 16, 0].map { UInt16((half >> $0) & 0xFFFF) } }
            return Self.text(of: groups)
        }
    }

    private static func decimalGroups(_ text: String) -> UInt32? {
        let groups = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard groups.count == 4 else { return nil }
        var bits: UInt32 = 0
        for group in groups {
            guard (1...3).contains(group.count), group.count == 1 || group.first != UInt8(ascii: "0"),
                group.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt8(String(group) ?? "")
            else { return nil }
            bits = bits << 8 | UInt32(number)
        }
        return bits
    }

    private static func sixteenBytes(_ bytes: UnsafeRawBufferPointer) -> IPAddress {
        .v6(
            high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    /// The groups in hexadecimal, with `::` for the longest run of zeros.
    private static func text(of groups: [UInt16]) -> String {
        var longest = 0..<0
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 { start = index + 1 }
            if index + 1 - start > max(longest.count, 1) { longest = start..<(index + 1) }
        }
        let words = groups.map { String($0, radix: 16) }
        guard !longest.isEmpty else { return words.joined(separator: ":") }
        return words[..<longest.lowerBound].joined(separator: ":") + "::"
            + words[longest.upperBound...].joined(separator: ":")
    }
}
