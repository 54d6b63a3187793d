import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Feeds what one session's task receives to its exchange, on the session's serial queue.
// `@unchecked` because NSObject is not Sendable; there is no state but `current`.
final class URLSessionExchangeDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let current = Locked<URLSessionExchange?>(nil)

    /// Makes the exchange the one that the session's next task belongs to.
    func begin(_ exchange: URLSessionExchange) {
        current.withLock { $0 = exchange }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else { return completionHandler(.cancel) }
        completionHandler(receive { $0.take(head: HTTPResponseHead(response)) } ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isWanted = receive { reception in
            // Data may be in several regions; each is passed on without a copy.
            data.regions.allSatisfy { region in region.withUnsafeBytes { reception.take(body: $0) } }
        }
        if !isWanted { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        current.withLock { $0 }?.note(peers: metrics.transactionMetrics.map(\.remoteAddress))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let ended = current.withLock { current in
            defer { current = nil }
            return current
        }
        ended?.end(error)
    }

    private func receive(_ body: (ResponseReception) -> Bool) -> Bool {
        current.withLock { $0 }?.receive(body) ?? false
    }
}

extension HTTPResponseHead {
    fileprivate init(_ response: HTTPURLResponse) {
        self.init(status: response.statusCode)
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers.add(value, for: name) }
        }
    }
}
