import CarbocationLocalLLM
import Foundation

/// Takes one response as far as it is of use.
final class PageReceiver: HTTPResponseReceiver {
    private struct State {
        var head: HTTPResponseHead?
        var body = Data()
        var isTruncated = false
        var hasEnough = false
    }

    /// Ends the transfer; no failure.
    private struct Enough: Error {}

    private let maximumBytes: Int
    private let state = Locked(State())

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// Whether the rest of the response was refused, so that the failure that this caused is none.
    var hasEnough: Bool { state.withLock { $0.hasEnough } }

    var head: HTTPResponseHead? { state.withLock { $0.head } }

    /// The response as it came from an address.
    func response(from address: WebAddress) -> LLMWebpageFetchResponse {
        state.withLock { state in
            LLMWebpageFetchResponse(
                data: state.body, finalURL: address.url, statusCode: state.head?.status,
                contentType: state.head?.headers["Content-Type"], truncated: state.isTruncated)
        }
    }

    func receive(head: HTTPResponseHead) throws {
        try state.withLock { state in
            state.head = head
            guard (200..<300).contains(head.status), WebpageType(head.headers["Content-Type"]) != .unsupported else {
                state.hasEnough = true
                throw Enough()
            }
        }
        guard let announced = head.headers["Content-Length"].flatMap({ Int($0) }) else { return }
        let (most, isOverflow) = maximumBytes.multipliedReportingOverflow(by: 10)
        guard isOverflow || announced <= most else {
            throw ToolFailure(
                code: "response_too_large", "The page has \(announced) bytes, which is too many. Try another address.")
        }
    }

    func receive(body: UnsafeRawBufferPointer) throws {
        try state.withLock { state in
            let fitting = body.prefix(maximumBytes - state.body.count)
            state.body.append(contentsOf: fitting)
            guard fitting.count == body.count else {
                state.isTruncated = true
                state.hasEnough = true
                throw Enough()
            }
        }
    }
}
