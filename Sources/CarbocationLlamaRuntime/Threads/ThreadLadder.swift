/// The thread counts that are worth comparing.
///
/// Every count up to 16 and at the upper end, then steps of an eighth: finer ones differ less than a measurement's
/// noise, and what another program needs is usually one core or two.
struct ThreadLadder: Hashable, Sendable {
    /// Ascending, from 1 to the limit.
    let rungs: [Int]
    /// Where machines with cores of two kinds are fastest: every thread waits for the slowest.
    let fastCores: Int?

    init(limit: Int, fastCores: Int? = nil) {
        var rungs: [Int] = []
        var count = max(1, limit)
        while count > 0 {
            rungs.append(count)
            count -= rungs.count <= 2 ? 1 : max(1, count / 8)
        }
        self.rungs = rungs.reversed()
        self.fastCores = fastCores.flatMap { $0 >= 1 && $0 < limit ? $0 : nil }
    }

    var limit: Int { rungs[rungs.count - 1] }

    /// The largest rung that is not above `count`; the lowest one when all are.
    func rung(atMost count: Int) -> Int {
        rungs.last { $0 <= count } ?? 1
    }

    /// What to compare `count` with, best guess first: the fast cores, half, double, then the neighbours.
    func alternatives(to count: Int, atMost ceiling: Int) -> [Int] {
        let below = rungs.last { $0 < count }
        let above = rungs.first { $0 > count }
        var found: [Int] = []
        for candidate in [fastCores, rung(atMost: count / 2), below, rung(atMost: count * 2), above] {
            guard let candidate, candidate != count, candidate <= ceiling, !found.contains(candidate) else { continue }
            found.append(candidate)
        }
        return found
    }
}
