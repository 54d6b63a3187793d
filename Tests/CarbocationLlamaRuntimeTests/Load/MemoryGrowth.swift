import Foundation

/// How much memory the process holds after a quarter of a long run, and at its end.
///
/// What the allocator keeps of freed memory is given back to the system first: that depends on how mixed up the requests
/// were, not on how many.
struct MemoryGrowth: Sendable, CustomStringConvertible {
    private(set) var early = 0
    private(set) var late = 0

    mutating func noteEarly() { early = Self.neededBytes() }
    mutating func noteLate() { late = Self.neededBytes() }

    /// The part of the early memory that came on top; 0 where the system does not tell.
    var ratio: Double { early > 0 ? Double(late - early) / Double(early) : 0 }

    var description: String {
        "resident memory: \(early >> 10) KiB after a quarter, \(late >> 10) KiB at the end"
    }

    /// Gives what the allocator keeps of freed memory back to the system.
    static func trim() {
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        typealias Trim = @convention(c) (_ kept: Int) -> Int32
        _ = unsafeBitCast(symbol, to: Trim.self)(0)
    }

    private static func neededBytes() -> Int {
        trim()
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
