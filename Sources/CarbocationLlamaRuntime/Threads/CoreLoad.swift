/// What the system tells about the cores over some time.
struct CoreLoad: Hashable, Sendable {
    /// Cores that other work left to this engine, what it used itself included.
    var freeCores: Double
    /// The length of the time in seconds; 0 for what was seen in one instant.
    var seconds: Double
}
