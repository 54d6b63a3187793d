/// The memory that a model and a context will take on one device, before anything is allocated.
public struct LlamaContextMemoryEstimate: Sendable, Hashable {
    /// The weights, in bytes.
    public var modelBytes: UInt64
    /// The KV cache and other state, in bytes.
    public var contextBytes: UInt64
    /// The work space of a computation, in bytes.
    public var computeBytes: UInt64

    /// Creates an estimate.
    public init(modelBytes: UInt64, contextBytes: UInt64, computeBytes: UInt64) {
        self.modelBytes = modelBytes
        self.contextBytes = contextBytes
        self.computeBytes = computeBytes
    }

    /// What has to be free for the context to be safe.
    ///
    /// Weights count for half the budget at most, because the system can page mapped ones out. Context and work space
    /// count in full, with a reserve of a fifth, at least 512 MiB and at most 8 GiB. Sums that do not fit stay at the
    /// largest number.
    ///
    /// - Parameter budget: What the device has for it, in bytes.
    /// - Returns: The bytes needed.
    public func requiredBytes(budget: UInt64) -> UInt64 {
        let working = contextBytes.addingSaturated(computeBytes)
        let reserve = min(max(working / 5, Self.smallestReserve), Self.largestReserve)
        return min(modelBytes, budget / 2).addingSaturated(working).addingSaturated(reserve)
    }

    /// Whether ``requiredBytes(budget:)`` are within the budget.
    ///
    /// - Parameter budget: What the device has for it, in bytes.
    /// - Returns: Whether the context is safe to make.
    public func fits(budget: UInt64) -> Bool {
        requiredBytes(budget: budget) <= budget
    }

    private static let smallestReserve: UInt64 = 512 << 20
    private static let largestReserve: UInt64 = 8 << 30
}
