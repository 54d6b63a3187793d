/// How long RPC servers may take before they are given up; nil for the defaults of the native layer.
package struct RPCTimeLimits: Sendable, Hashable {
    /// To accept a connection and greet.
    package var connecting: Duration?
    /// Without a byte moving while an answer is awaited.
    package var answering: Duration?
    /// The same once nobody wants the answer any more.
    package var stopping: Duration?

    package init(connecting: Duration? = nil, answering: Duration? = nil, stopping: Duration? = nil) {
        self.connecting = connecting
        self.answering = answering
        self.stopping = stopping
    }
}
