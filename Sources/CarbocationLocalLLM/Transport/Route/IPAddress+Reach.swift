extension IPAddress {
    /// Whether the address is one of the open internet.
    ///
    /// Not so are this machine, private and local networks, the shared networks of providers, groups of receivers, and all
    /// that is reserved. An address that carries one of version 4 within it is as public as that one.
    package var isPublic: Bool {
        switch self {
        case .v4(let bits):
            return !Self.reservedBlocks.contains { bits >> (32 - $0.length) == $0.start >> (32 - $0.length) }
        case .v6(let high, _):
            if let embedded { return embedded.isPublic }
            let isGlobalUnicast = high >> 61 == 0b001
            let isProtocolAssignment = high >> 41 == 0x2001_0000 >> 9
            let isDocumentation = high >> 32 == 0x2001_0DB8 || high >> 44 == 0x3FFF0
            return isGlobalUnicast && !isProtocolAssignment && !isDocumentation
        }
    }

    /// The address of version 4 that one of version 6 leads to.
    private var embedded: IPAddress? {
        guard case .v6(let high, let low) = self else { return nil }
        // 2002::/16, "6to4".
        if high >> 48 == 0x2002 { return .v4(UInt32(truncatingIfNeeded: high >> 16)) }
        // ::ffff:0:0/96, mapped; ::ffff:0:0:0/96 and 64:ff9b::/96, translated.
        let isMapped = high == 0 && (low >> 32 == 0xFFFF || low >> 32 == 0xFFFF_0000)
        let isTranslated = high == 0x0064_FF9B_0000_0000 && low >> 32 == 0
        return isMapped || isTranslated ? .v4(UInt32(truncatingIfNeeded: low)) : nil
    }

    /// What the registries of special addresses hold back (RFC 6890).
    private static let reservedBlocks: [(start: UInt32, length: UInt32)] = [
        (0x0000_0000, 8),  // this network
        (0x0A00_0000, 8),  // private
        (0x6440_0000, 10),  // shared by the customers of a provider
        (0x7F00_0000, 8),  // this machine
        (0xA83F_8110, 32),  // the host of virtual machines at a large provider
        (0xA9FE_0000, 16),  // link-local
        (0xAC10_0000, 12),  // private
        (0xC000_0000, 24),  // protocol assignments
        (0xC000_0200, 24),  // documentation
        (0xC058_6300, 24),  // relays of 6to4
        (0xC0A8_0000, 16),  // private
        (0xC612_0000, 15),  // measurements
        (0xC633_6400, 24),  // documentation
        (0xCB00_7100, 24),  // documentation
        (0xE000_0000, 4),  // groups of receivers
        (0xF000_0000, 4),  // reserved, and broadcast
    ]
}
