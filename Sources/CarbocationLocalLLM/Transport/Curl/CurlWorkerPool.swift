#if !canImport(Darwin)
    import Foundation

    /// The workers that wait for something to do.
    ///
    /// There are as many workers as exchanges at a time; whoever sends requests bounds their number.
    final class CurlWorkerPool: Sendable {
        private struct Idle {
            let worker: CurlWorker
            /// Where the worker has sent requests to, so that it may still have a connection.
            var origins: Set<HTTPOrigin>
        }

        private struct State {
            var idle: [Idle] = []
            var busy: [ObjectIdentifier: Set<HTTPOrigin>] = [:]
            var isClosed = false
        }

        private let state = Locked(State())

        /// Seconds that a worker waits before it closes its connections and ends.
        let idleTime: TimeInterval

        init(idleTime: TimeInterval) {
            self.idleTime = idleTime
        }

        /// Has the exchange done by the worker that is likeliest to be connected already, or by a new one.
        func run(_ exchange: CurlExchange) {
            let known = state.withLock { state in
                let index = state.idle.lastIndex { $0.origins.contains(exchange.origin) } ?? state.idle.indices.last
                let idle = index.map { state.idle.remove(at: $0) }
                if let idle { state.busy[ObjectIdentifier(idle.worker)] = idle.origins }
                return idle?.worker
            }
            let worker = known ?? CurlWorker()
            worker.assign(exchange)
            if known == nil { worker.start(in: self) }
        }

        /// Takes a worker back that has nothing to do any more.
        func put(_ worker: CurlWorker, origin: HTTPOrigin) {
            let isClosed = state.withLock { state in
                let origins = state.busy.removeValue(forKey: ObjectIdentifier(worker)) ?? []
                if !state.isClosed { state.idle.append(Idle(worker: worker, origins: origins.union([origin]))) }
                return state.isClosed
            }
            if isClosed { worker.close() }
        }

        /// Forgets a worker that is tired of waiting; false if somebody has taken it.
        func remove(_ worker: CurlWorker) -> Bool {
            state.withLock { state in
                guard let index = state.idle.firstIndex(where: { $0.worker === worker }) else { return false }
                state.idle.remove(at: index)
                return true
            }
        }

        /// Ends all workers as soon as they have nothing to do.
        func close() {
            let idle = state.withLock { state in
                state.isClosed = true
                defer { state.idle = [] }
                return state.idle
            }
            for idle in idle { idle.worker.close() }
        }
    }
#endif
