import CarbocationLocalLLM

extension LLMLoadWebpageTool.Configuration {
    /// Refuses what can be told from the address alone: its port, and a host that is or names a local address.
    ///
    /// - Throws: `blocked_port` or `blocked_address`.
    func check(_ address: WebAddress) throws(ToolFailure) {
        guard address.port != 0, allowedPorts?.contains(address.port) ?? true else {
            throw ToolFailure(
                code: "blocked_port",
                "Port \(address.port) may not be asked. Give an address with the usual port, without a number.")
        }
        switch address.host {
        case .address(let peer): try check([peer], of: address.host)
        case .name: if address.host.isLocalName, !allowsPrivateAddresses { throw Self.blocked(address.host) }
        }
    }

    /// Refuses a host if any of the addresses that it leads to is not one of the open internet.
    ///
    /// - Throws: `blocked_address`.
    func check(_ peers: [IPAddress], of host: WebHost) throws(ToolFailure) {
        guard !peers.isEmpty else {
            throw ToolFailure(
                code: "blocked_address",
                "The host \(LLMJSONValue.string(host.text).quoted) cannot be found. Check its name.")
        }
        guard allowsPrivateAddresses || peers.allSatisfy(\.isPublic) else { throw Self.blocked(host) }
    }

    static func blocked(_ host: WebHost) -> ToolFailure {
        ToolFailure(
            code: "blocked_address",
            "The host \(LLMJSONValue.string(host.text).quoted) is in a private or reserved network, which may not be "
                + "asked. Only pages of the open internet can be loaded.")
    }
}
