import CarbocationLocalLLM
import Foundation

/// Asks the system, on a thread of its own: the system's function waits, and cannot be interrupted.
struct SystemHostResolver: HostResolving {
    func addresses(of host: String) async -> [IPAddress] {
        let answer = OneShot<[IPAddress]>()
        Thread.detachNewThread { answer.resolve(Self.lookUp(host)) }
        return await answer.value()
    }

    private static func lookUp(_ host: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        #if canImport(Darwin)
            hints.ai_socktype = SOCK_STREAM
        #else
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var addresses: [IPAddress] = []
        var next = first
        while let entry = next?.pointee {
            if let socketAddress = entry.ai_addr,
                let address = IPAddress(family: entry.ai_family, socketAddress: UnsafeRawPointer(socketAddress)),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            next = entry.ai_next
        }
        return addresses
    }
}
