/// How many connections to use: one at first, more as long as they may help.
///
/// Where bytes come nearly as fast as they can be written, further connections only stand in each other's way, and
/// bytes that come in order can be hashed without reading them again.
struct ConnectionRamp: Sendable {
    /// The time between two decisions.
    static let interval = Duration.milliseconds(250)

    /// How many connections are added at a time.
    static let step = 4

    /// What is fast enough, in bytes for each interval.
    static let enough: Int64 = 25 << 20

    private let limit: Int
    private var received: Int64 = 0

    /// How many connections there are.
    private(set) var count = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether there is another decision to come.
    private(set) var isRising = true

    /// Begins.
    ///
    /// - Parameter received: The bytes that arrived before.
    /// - Returns: How many connections to begin with.
    mutating func start(received: Int64 = 0) -> Int {
        self.received = received
        return add(1)
    }

    /// How many connections to add after another interval.
    ///
    /// - Parameter received: The bytes that have arrived in all.
    /// - Returns: The number, 0 to leave it as it is.
    mutating func next(received: Int64) -> Int {
        defer { self.received = received }
        guard isRising, received - self.received < Self.enough else { return 0 }
        return add(Self.step)
    }

    /// Notes that a worker has ended; it left nothing to begin for others.
    mutating func workerEnded() {
        count -= 1
        isRising = false
    }

    /// Adds none any more: the server asks for fewer requests.
    mutating func settle() {
        isRising = false
    }

    private mutating func add(_ wanted: Int) -> Int {
        let added = min(wanted, limit - count)
        count += added
        if count >= limit { isRising = false }
        return added
    }
}
