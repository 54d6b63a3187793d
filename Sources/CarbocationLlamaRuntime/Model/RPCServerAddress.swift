import CarbocationLocalLLM

/// Where a machine answers as an RPC server of llama.cpp.
struct RPCServerAddress: Hashable, Sendable {
    /// A name or an address, in lower case; IPv6 without brackets.
    let host: String
    let port: UInt16

    /// Reads "host:port", with IPv6 addresses in brackets.
    ///
    /// Throws ``LLMEngineError/modelLoadFailed(_:)`` saying what is wrong.
    init(_ text: String) throws {
        let isBracketed = text.hasPrefix("[")
        let parts =
            isBracketed
            ? text.dropFirst().split(separator: "]:", maxSplits: 1, omittingEmptySubsequences: false)
            : text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw Self.refusal(of: text, "it is not of the form host:port") }
        let (host, port) = (parts[0], parts[1])
        guard !host.isEmpty, host.allSatisfy(isBracketed ? Self.isInIPv6 : Self.isInName) else {
            throw Self.refusal(of: text, "its host is neither a name nor an address")
        }
        guard port.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(port), port > 0 else {
            throw Self.refusal(of: text, "its port is not within 1 and 65535")
        }
        self.host = host.lowercased()
        self.port = port
    }

    /// As it is written in a configuration.
    var name: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    private static func isInName(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-._".contains(character))
    }

    private static func isInIPv6(_ character: Character) -> Bool {
        isInName(character) || character == ":" || character == "%"
    }

    private static func refusal(of text: String, _ reason: String) -> LLMEngineError {
        .modelLoadFailed(
            "\(text.debugDescription) is no address of an RPC server: \(reason). Write it like 192.168.1.20:50052.")
    }
}

extension LlamaEngineConfiguration {
    /// llama.cpp's limit on devices of one model.
    private static var largestServerCount: Int { 16 }

    /// The servers that a load uses: none when no layers leave the CPU.
    ///
    /// Throws ``LLMEngineError/modelLoadFailed(_:)`` for addresses that cannot be used, before anything is opened.
    func serverAddresses() throws -> [RPCServerAddress] {
        let addresses = try rpcServers.map(RPCServerAddress.init)
        guard addresses.count <= Self.largestServerCount else {
            throw LLMEngineError.modelLoadFailed(
                "\(addresses.count) RPC servers are too many. Use at most \(Self.largestServerCount).")
        }
        var known: Set<RPCServerAddress> = []
        for address in addresses where !known.insert(address).inserted {
            throw LLMEngineError.modelLoadFailed("The RPC server \(address.name) is listed twice. Remove one of them.")
        }
        return gpuLayerCount > 0 ? addresses : []
    }
}
