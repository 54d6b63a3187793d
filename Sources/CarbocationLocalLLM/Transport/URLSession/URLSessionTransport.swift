import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP over URLSession, the transport of Apple platforms.
///
/// Each exchange has a session of its own while it lasts: sessions call their delegate on a serial queue, which the
/// receiver may block without holding up any other exchange. Sessions are kept, and their connections with them.
package final class URLSessionTransport: HTTPTransport {
    private let idle = Locked<[URLSessionLane]>([])
    private static let mostIdle = 32

    package init() {}

    package func perform(_ request: HTTPRequest, receiver: any HTTPResponseReceiver) async throws {
        try Task.checkCancellation()
        try request.validate()
        if request.route != nil {
            // Neither connections nor proxies are shared with requests that go another way.
            return try await URLSessionLane(isDirect: true).perform(request, receiver: receiver)
        }
        let lane = idle.withLock { $0.popLast() } ?? URLSessionLane(isDirect: false)
        defer { idle.withLock { if $0.count < Self.mostIdle { $0.append(lane) } } }
        try await lane.perform(request, receiver: receiver)
    }
}

/// A session that does one exchange at a time.
private final class URLSessionLane: Sendable {
    private let session: URLSession
    private let delegate = URLSessionExchangeDelegate()

    init(isDirect: Bool) {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.name = "URLSessionTransport"
        session = URLSession(
            configuration: Self.configuration(isDirect: isDirect), delegate: delegate, delegateQueue: queue)
    }

    deinit {
        // A session keeps its delegate until it is told that it is done.
        session.finishTasksAndInvalidate()
    }

    func perform(_ request: HTTPRequest, receiver: any HTTPResponseReceiver) async throws {
        let exchange = URLSessionExchange(request, receiver: receiver)
        let task = session.dataTask(with: URLRequest(request))
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchange.begin(continuation)
                delegate.begin(exchange)
                task.resume()
            }
        } onCancel: {
            exchange.cancel()
            task.cancel()
        }
    }

    private static func configuration(isDirect: Bool) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        if isDirect { configuration.connectionProxyDictionary = [:] }
        return configuration
    }
}

extension URLRequest {
    fileprivate init(_ request: HTTPRequest) {
        self.init(url: request.url, timeoutInterval: max(request.boundedTimeout, 0.001))
        httpMethod = request.method
        httpShouldHandleCookies = false
        for field in request.headers.fields { addValue(field.value, forHTTPHeaderField: field.name) }
        // URLSession asks for compression unless it is told what to ask for.
        if !request.acceptsCompression, request.headers["Accept-Encoding"] == nil {
            setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
    }
}
