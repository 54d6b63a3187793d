/// Some bytes of a body in memory, first for the file and then for the hasher.
// `@unchecked` because it is filled by one thread, which does not change it any more once it has passed it on.
final class BodyBuffer: @unchecked Sendable {
    /// Transports deliver a few kilobytes at a time; writing each by itself would make connections wait for each other.
    static let size = 256 << 10

    private let pool: BodyBufferPool
    private let memory: UnsafeMutableRawBufferPointer
    private var count = 0

    init(from pool: BodyBufferPool) {
        self.pool = pool
        memory = pool.take()
    }

    deinit { pool.give(memory) }

    var isFull: Bool { count == memory.count }

    /// What the buffer holds; valid as long as the buffer.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory.prefix(count)) }

    /// Takes as many bytes as there is room for.
    ///
    /// - Returns: How many.
    func append(_ source: UnsafeRawBufferPointer) -> Int {
        let taken = source.prefix(memory.count - count)
        UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + taken.count])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: taken))
        count += taken.count
        return taken.count
    }
}

/// Keeps the memory of buffers for the next ones, because fresh memory costs more than the copying.
// `@unchecked` because of the pointers: each belongs to the pool or to one buffer.
final class BodyBufferPool: @unchecked Sendable {
    private let idle = Locked<[UnsafeMutableRawBufferPointer]>([])

    deinit {
        for memory in idle.withLock({ $0 }) { memory.deallocate() }
    }

    fileprivate func take() -> UnsafeMutableRawBufferPointer {
        idle.withLock { $0.popLast() } ?? .allocate(byteCount: BodyBuffer.size, alignment: 4096)
    }

    fileprivate func give(_ memory: UnsafeMutableRawBufferPointer) {
        idle.withLock { $0.append(memory) }
    }
}
