#if !canImport(Darwin)
    import CCurl
    import Foundation

    /// Keeps one transfer to the addresses of its route.
    final class CurlRoute {
        private let addresses: Set<IPAddress>
        private let hosts: UnsafeMutablePointer<curl_slist>?

        /// Whether libcurl was about to connect to another address.
        private(set) var hasRefused = false

        init(_ route: HTTPRoute, origin: HTTPOrigin) {
            addresses = Set(route.addresses)
            let list = route.addresses.map { address in
                if case .v6 = address { "[\(address.text)]" } else { address.text }
            }
            // A host that is an address is not looked up.
            let isName = IPAddress(origin.host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))) == nil
            hosts =
                isName
                ? curl_slist_append(nil, "\(origin.host):\(origin.port):\(list.joined(separator: ","))") : nil
        }

        deinit {
            curl_slist_free_all(hosts)
        }

        /// Sets the options of a transfer; the route must live as long.
        func configure(_ easy: UnsafeMutableRawPointer) {
            ccurl_set_text(easy, CURLOPT_PROXY, "")
            ccurl_set_text(easy, CURLOPT_NOPROXY, "*")
            ccurl_set_list(easy, CURLOPT_RESOLVE, hosts)
            ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(self).toOpaque())
            ccurl_set_opener(easy) { target, _, address in
                guard let target, let address else { return CURL_SOCKET_BAD }
                return Unmanaged<CurlRoute>.fromOpaque(target).takeUnretainedValue().open(address)
            }
        }

        /// Whether all that was received came from where it should; asked after the transfer.
        func isKept(_ easy: UnsafeMutableRawPointer) -> Bool {
            guard !hasRefused else { return false }
            // Without a connection there is no peer.
            guard let text = ccurl_peer(easy).map({ String(cString: $0) }), !text.isEmpty else { return true }
            return IPAddress(text).map(addresses.contains) ?? false
        }

        private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
            let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0
            let peer = IPAddress(family: address.pointee.family, socketAddress: UnsafeRawPointer(address) + offset)
            guard let peer, addresses.contains(peer) else {
                hasRefused = true
                return CURL_SOCKET_BAD
            }
            let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
            return socket(address.pointee.family, type, address.pointee.protocol)
        }
    }
#endif
