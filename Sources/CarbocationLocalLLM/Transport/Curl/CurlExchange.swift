#if !canImport(Darwin)
    /// One request on its way through a worker, and the task that waits for it.
    final class CurlExchange: Sendable {
        let request: HTTPRequest
        let origin: HTTPOrigin
        private let receiver: any HTTPResponseReceiver
        private let state = Locked(State())

        private struct State {
            var isCancelled = false
            var handle: CurlHandle?
            var continuation: CheckedContinuation<Void, any Error>?
        }

        init(_ request: HTTPRequest, receiver: any HTTPResponseReceiver) throws(HTTPTransportError) {
            try request.validate()
            guard let origin = HTTPOrigin(request.url) else { throw .invalidRequest("The address has no origin.") }
            self.request = request
            self.origin = origin
            self.receiver = receiver
        }

        /// Sets who waits for the end.
        func begin(_ continuation: CheckedContinuation<Void, any Error>) {
            state.withLock { $0.continuation = continuation }
        }

        /// Makes the transfer stop at once, or not begin.
        func cancel() {
            state.withLock { state in
                state.isCancelled = true
                // Within the lock, so that the handle still belongs to this exchange.
                state.handle?.wakeUp()
            }
        }

        /// Ends the exchange for the task that waits.
        func end(_ result: Result<Void, any Error>) {
            let continuation = state.withLock { state in
                defer { state.continuation = nil }
                return state.continuation
            }
            continuation?.resume(with: result)
        }

        /// Does the whole exchange on the calling thread.
        ///
        /// A request with a route has a handle of its own, so that neither connections nor names are shared.
        func run(on shared: CurlHandle) -> Result<Void, any Error> {
            guard let handle = request.route == nil ? shared : CurlHandle() else {
                return .failure(HTTPTransportError.connection("libcurl could not be started."))
            }
            state.withLock { $0.handle = handle }
            defer { state.withLock { $0.handle = nil } }
            guard !isCancelled else { return .failure(CancellationError()) }
            let reception = ResponseReception(request, receiver: CancellableReceiver(receiver, exchange: self))
            let ending = handle.transfer(request, to: reception) { isConnected in
                isCancelled ? nil : reception.patience(isConnected: isConnected)
            }
            return Result { try conclude(ending, reception) }
        }

        var isCancelled: Bool {
            state.withLock { $0.isCancelled }
        }

        private func conclude(_ ending: CurlHandle.Ending, _ reception: ResponseReception) throws {
            if case .strayed = ending { throw HTTPTransportError.forbiddenPeer(origin.host) }
            if let failure = reception.failure { throw failure }
            switch ending {
            case .finished: try reception.finish()
            case .strayed: throw HTTPTransportError.forbiddenPeer(origin.host)
            case .givenUp: throw isCancelled ? CancellationError() : HTTPTransportError.timedOut as any Error
            case .failed(let code, let reason):
                throw HTTPTransportError.curl(code: code, reason: reason, host: origin.host)
            }
        }
    }

    /// Passes a response on until its exchange is cancelled.
    private final class CancellableReceiver: HTTPResponseReceiver {
        private let receiver: any HTTPResponseReceiver
        private let exchange: CurlExchange

        init(_ receiver: any HTTPResponseReceiver, exchange: CurlExchange) {
            self.receiver = receiver
            self.exchange = exchange
        }

        func receive(head: HTTPResponseHead) throws {
            if exchange.isCancelled { throw CancellationError() }
            try receiver.receive(head: head)
        }

        func receive(body: UnsafeRawBufferPointer) throws {
            if exchange.isCancelled { throw CancellationError() }
            try receiver.receive(body: body)
        }
    }
#endif
