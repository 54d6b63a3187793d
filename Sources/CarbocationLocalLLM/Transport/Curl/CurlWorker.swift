#if !canImport(Darwin)
    import Foundation

    /// A thread with its own connections, which does one exchange at a time and then waits for the next.
    final class CurlWorker: Sendable {
        private let mailbox = Mailbox<CurlExchange>()

        /// Starts the thread; it lives until nothing came for a while or the pool is closed.
        func start(in pool: CurlWorkerPool) {
            Thread.detachNewThread { [self] in
                Self.blockBrokenPipeSignal()
                guard let handle = CurlHandle() else {
                    refuse()
                    return
                }
                while let exchange = next(pool) {
                    let result = exchange.run(on: handle)
                    pool.put(self, origin: exchange.origin)
                    exchange.end(result)
                }
            }
        }

        /// Gives the worker something to do; only for whoever took it from the pool.
        func assign(_ exchange: CurlExchange) {
            mailbox.put(exchange)
        }

        /// Ends the thread once it has nothing to do.
        func close() {
            mailbox.close()
        }

        private func next(_ pool: CurlWorkerPool) -> CurlExchange? {
            while true {
                if let exchange = mailbox.take(waiting: pool.idleTime) { return exchange }
                // Whoever took the worker from the pool meanwhile is about to assign something.
                if pool.remove(self) || mailbox.isClosed { return mailbox.take(waiting: 0) }
            }
        }

        /// Fails the exchange for which the worker was made; the pool does not know the worker yet.
        private func refuse() {
            mailbox.take(waiting: 0)?.end(.failure(HTTPTransportError.connection("libcurl could not be started.")))
        }

        /// OpenSSL writes to sockets whose other end may be gone; with the signal blocked that is an error like others.
        private static func blockBrokenPipeSignal() {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
        }
    }
#endif
