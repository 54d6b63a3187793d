#if !canImport(Darwin)
    import CCurl
    import Foundation

    /// libcurl for one thread: the connections that it keeps, and the one transfer that is going on.
    ///
    /// Everything that touches libcurl is here.
    // `@unchecked` because of the pointers: the handle belongs to one thread, apart from `wakeUp`, which libcurl allows
    // from any thread while the handle exists.
    final class CurlHandle: @unchecked Sendable {
        private static let bufferSize = 256 << 10

        private let multi: UnsafeMutableRawPointer
        private let easy: UnsafeMutableRawPointer
        private let reason: UnsafeMutablePointer<CChar>

        /// How a transfer ended.
        enum Ending {
            case finished
            case failed(code: Int, reason: String)
            /// The route was left.
            case strayed
            case givenUp
        }

        /// Nil if libcurl cannot be had, for want of memory as a rule.
        init?() {
            guard Self.isReady, let multi = curl_multi_init() else { return nil }
            guard let easy = curl_easy_init() else {
                curl_multi_cleanup(multi)
                return nil
            }
            self.multi = multi
            self.easy = easy
            reason = .allocate(capacity: Int(CURL_ERROR_SIZE))
        }

        deinit {
            curl_easy_cleanup(easy)
            curl_multi_cleanup(multi)
            reason.deallocate()
        }

        private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

        /// Ends the wait of a transfer that is going on.
        ///
        /// Callable from every thread.
        func wakeUp() {
            curl_multi_wakeup(multi)
        }

        /// Sends the request and feeds the reception until the response has ended.
        ///
        /// - Parameters:
        ///   - request: A valid request.
        ///   - reception: Takes the response, on this thread.
        ///   - patience: Says how long to wait for the server, given whether the connection stands; with nil or less
        ///     than nothing the transfer is given up and its connection closed.
        /// - Returns: How it ended; the reception knows whether it has all it needs.
        func transfer(
            _ request: HTTPRequest, to reception: ResponseReception, patience: (_ isConnected: Bool) -> Duration?
        ) -> Ending {
            let headers = HeaderList(request)
            let route = request.route.flatMap { route in
                HTTPOrigin(request.url).map { CurlRoute(route, origin: $0) }
            }
            configure(request, headers)
            route?.configure(easy)
            let target = Unmanaged.passUnretained(reception).toOpaque()
            ccurl_set_pointer(easy, CURLOPT_HEADERDATA, target)
            ccurl_set_pointer(easy, CURLOPT_WRITEDATA, target)
            curl_multi_add_handle(multi, easy)
            defer {
                curl_multi_remove_handle(multi, easy)
                curl_easy_reset(easy)
            }
            return withExtendedLifetime((headers, reception)) {
                let ending = drive(patience)
                return route?.isKept(easy) == false ? .strayed : ending
            }
        }

        private func drive(_ patience: (_ isConnected: Bool) -> Duration?) -> Ending {
            while true {
                var running: Int32 = 0
                let status = curl_multi_perform(multi, &running)
                guard status == CURLM_OK else {
                    return .failed(code: 0, reason: String(cString: curl_multi_strerror(status)))
                }
                var code = CURLE_OK
                if ccurl_take_result(multi, &code) != 0 { return ending(code) }
                guard let wait = patience(ccurl_is_connected(easy) != 0), wait > .zero else { return .givenUp }
                let milliseconds = Int32(min(wait / .milliseconds(1), 60_000).rounded(.up))
                curl_multi_poll(multi, nil, 0, milliseconds, nil)
            }
        }

        private func ending(_ code: CURLcode) -> Ending {
            guard code != CURLE_OK else { return .finished }
            let reason = reason.pointee == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: reason)
            return .failed(code: Int(code.rawValue), reason: reason)
        }

        private func configure(_ request: HTTPRequest, _ headers: HeaderList) {
            reason.pointee = 0
            ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, reason)
            ccurl_set_text(easy, CURLOPT_URL, request.url.absoluteString)
            ccurl_set_list(easy, CURLOPT_HTTPHEADER, headers.first)
            configureMethod(request.method)
            configureLimits(request)
            if HTTPOrigin(request.url)?.isLoopback == true { ccurl_set_text(easy, CURLOPT_PROXY, "") }
            if request.acceptsCompression { ccurl_set_text(easy, CURLOPT_ACCEPT_ENCODING, "") }
            ccurl_set_receiver(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, target in
                CurlHandle.reception(target).take(line: .init(start: bytes, count: size * count)) ? size * count : 0
            }
            ccurl_set_receiver(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, target in
                CurlHandle.reception(target).take(body: .init(start: bytes, count: size * count)) ? size * count : 0
            }
        }

        private func configureMethod(_ method: String) {
            switch method {
            case "GET": ccurl_set_number(easy, CURLOPT_HTTPGET, 1)
            case "HEAD": ccurl_set_number(easy, CURLOPT_NOBODY, 1)
            default: ccurl_set_text(easy, CURLOPT_CUSTOMREQUEST, method)
            }
        }

        /// What libcurl may do on its own: nothing but this exchange, over verified TLS or plain HTTP.
        private func configureLimits(_ request: HTTPRequest) {
            ccurl_allow_only_http(easy)
            ccurl_leave_resolver_behind(easy)
            ccurl_set_number(easy, CURLOPT_FOLLOWLOCATION, 0)
            ccurl_set_number(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
            ccurl_set_number(easy, CURLOPT_SSL_VERIFYPEER, 1)
            ccurl_set_number(easy, CURLOPT_SSL_VERIFYHOST, 2)
            ccurl_set_number(easy, CURLOPT_NOSIGNAL, 1)
            ccurl_set_number(easy, CURLOPT_PATH_AS_IS, 1)
            ccurl_set_number(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            ccurl_set_number(easy, CURLOPT_BUFFERSIZE, Self.bufferSize)
            // A connection for each exchange is quicker for bulk data than streams within one.
            ccurl_set_number(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
            let milliseconds = min(request.boundedTimeout * 1000 + 1, 2_000_000_000)
            ccurl_set_number(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(milliseconds))
        }

        private static func reception(_ target: UnsafeMutableRawPointer?) -> ResponseReception {
            guard let target else { preconditionFailure("libcurl lost the receiver it was given") }
            return Unmanaged.fromOpaque(target).takeUnretainedValue()
        }
    }

    /// The headers of a request as libcurl wants them.
    private final class HeaderList {
        private(set) var first: UnsafeMutablePointer<curl_slist>?

        init(_ request: HTTPRequest) {
            for field in request.headers.fields {
                // Without a value libcurl would take the header away instead of sending it.
                append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
            }
        }

        deinit {
            curl_slist_free_all(first)
        }

        private func append(_ line: String) {
            if let extended = curl_slist_append(first, line) { first = extended }
        }
    }
#endif
