#if !canImport(Darwin)
    /// HTTP/1.1 over libcurl, with one thread for each exchange in flight.
    ///
    /// Proxies are those of the environment, except for this machine itself, which is always asked directly.
    ///
    /// Threads and their connections are kept for a while, so that requests one after another, or as many at a time as
    /// before, find connections standing. The receiver runs on the exchange's thread: while it blocks, nothing more is
    /// read from that server, and no other exchange is held up.
    package final class CurlTransport: HTTPTransport {
        private let pool: CurlWorkerPool

        /// Creates a transport.
        ///
        /// - Parameter idleTime: Seconds that connections are kept without an exchange.
        package init(idleTime: Double = 15) {
            pool = CurlWorkerPool(idleTime: idleTime)
        }

        deinit {
            pool.close()
        }

        package func perform(_ request: HTTPRequest, receiver: any HTTPResponseReceiver) async throws {
            try Task.checkCancellation()
            let exchange = try CurlExchange(request, receiver: receiver)
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    exchange.begin(continuation)
                    pool.run(exchange)
                }
            } onCancel: {
                exchange.cancel()
            }
        }
    }
#endif
