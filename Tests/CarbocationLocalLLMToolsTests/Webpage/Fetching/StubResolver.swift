import CarbocationLocalLLM
import CarbocationLocalLLMTools

/// Knows the addresses of a few names, and remembers for which it was asked.
final class StubResolver: HostResolving {
    private let asked = Locked<[String]>([])
    private let answer: @Sendable (_ host: String, _ times: Int) async -> [IPAddress]

    init(_ answer: @escaping @Sendable (_ host: String, _ times: Int) async -> [IPAddress]) {
        self.answer = answer
    }

    convenience init(_ names: [String: [String]]) {
        self.init { host, _ in (names[host] ?? []).compactMap { IPAddress($0) } }
    }

    /// Leads every name to this machine.
    static var loopback: StubResolver { StubResolver { _, _ in [.v4(0x7F00_0001)] } }

    /// The names that were asked for.
    var names: [String] { asked.withLock { $0 } }

    func addresses(of host: String) async -> [IPAddress] {
        let times = asked.withLock { asked in
            asked.append(host)
            return asked.count { $0 == host }
        }
        return await answer(host, times)
    }
}

extension LLMLoadWebpageTool.Configuration {
    /// Limits with which the test server can be asked.
    static func local(
        timeout: Double = 60, maximumBytes: Int = 1_000_000, maximumRedirects: Int = 5
    ) -> LLMLoadWebpageTool.Configuration {
        LLMLoadWebpageTool.Configuration(
            timeout: timeout, maximumBytes: maximumBytes, maximumRedirects: maximumRedirects, allowedPorts: nil,
            allowsPrivateAddresses: true)
    }
}
