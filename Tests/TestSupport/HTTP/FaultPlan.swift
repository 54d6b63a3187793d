import CarbocationLocalLLM

/// Which replies of a server are broken, and how.
public final class FaultPlan: Sendable {
    private struct Rule {
        let fault: ServerFault
        let matches: @Sendable (ServerRequest) -> Bool
        var skips: Int
        var remaining: Int
    }

    private let rules = Locked<[Rule]>([])

    /// Makes a plan that breaks nothing.
    public init() {}

    /// Breaks replies from now on.
    ///
    /// Each rule counts the requests that it matches by itself. When several apply to one request, they change its
    /// reply in the order in which they were added.
    ///
    /// - Parameters:
    ///   - fault: What to do to the reply.
    ///   - filter: The requests in question; all of them by default.
    ///   - skipping: How many matching requests to leave alone first.
    ///   - times: How many to break then; nil for all.
    public func inject(
        _ fault: ServerFault, into filter: RequestFilter = .any, skipping: Int = 0, times: Int? = nil
    ) {
        let rule = Rule(fault: fault, matches: filter.matches, skips: skipping, remaining: times ?? Int.max)
        rules.withLock { $0.append(rule) }
    }

    /// Breaks nothing any more.
    public func clear() {
        rules.withLock { $0 = [] }
    }

    func apply(to reply: ServerReply, for request: ServerRequest) -> ServerReply {
        let due = rules.withLock { rules in rules.indices.compactMap { Self.take(&rules[$0], for: request) } }
        return due.reduce(into: reply) { reply, fault in fault.change(&reply, request) }
    }

    private static func take(_ rule: inout Rule, for request: ServerRequest) -> ServerFault? {
        guard rule.remaining > 0, rule.matches(request) else { return nil }
        if rule.skips > 0 {
            rule.skips -= 1
            return nil
        }
        rule.remaining -= 1
        return rule.fault
    }
}

/// A choice of requests.
public struct RequestFilter: Sendable {
    let matches: @Sendable (ServerRequest) -> Bool

    /// Makes a choice of a condition.
    public init(_ matches: @escaping @Sendable (ServerRequest) -> Bool) {
        self.matches = matches
    }

    /// All requests.
    public static let any = RequestFilter { _ in true }

    /// Requests whose percent-encoded path, without the query, ends so.
    public static func path(endingWith suffix: String) -> RequestFilter {
        RequestFilter { $0.path.hasSuffix(suffix) }
    }

    /// Requests whose percent-encoded path, without the query, begins so.
    public static func path(beginningWith prefix: String) -> RequestFilter {
        RequestFilter { $0.path.hasPrefix(prefix) }
    }

    /// Requests for a range that begins at an offset.
    public static func range(from offset: Int64) -> RequestFilter {
        RequestFilter { $0.header("Range")?.hasPrefix("bytes=\(offset)-") == true }
    }

    /// Requests with a method.
    public static func method(_ method: String) -> RequestFilter {
        RequestFilter { $0.method == method }
    }

    /// Requests that both choose.
    public func and(_ other: RequestFilter) -> RequestFilter {
        RequestFilter { self.matches($0) && other.matches($0) }
    }
}
