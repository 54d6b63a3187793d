/// A place where the server waits until a test lets it go on.
///
/// A gate that is open stays open. Waiting ends early when the client or the server goes away, so a closed gate never
/// keeps a test from ending.
public final class ServerGate: Sendable {
    let pipe: WakePipe
    private let arrivals = Watched(0)

    /// Makes a closed gate.
    ///
    /// - Throws: ``SystemCallFailure`` when the process has no descriptors left.
    public init() throws {
        pipe = try WakePipe()
    }

    /// Lets everybody pass, now and later.
    public func open() {
        pipe.wake()
    }

    /// Returns once the server has come here the given number of times.
    ///
    /// - Parameter arrivals: How many replies must have come here.
    /// - Throws: `CancellationError`.
    public func reached(times arrivals: Int = 1) async throws {
        _ = try await self.arrivals.wait { $0 >= arrivals }
    }

    func noteArrival() {
        arrivals.update { $0 += 1 }
    }
}
