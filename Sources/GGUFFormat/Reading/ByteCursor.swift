/// A reading position in a `ByteSource`, with a small window of bytes around it.
///
/// Every move is checked against the size of the source before it happens, so offsets can neither overflow nor leave
/// the file. The window is the only memory a cursor holds, however large the file is.
struct ByteCursor: ~Copyable {
    /// Large enough for the longest key (65,535 bytes) and small enough to stay in the processor's cache.
    static let windowCapacity = 1 << 16

    let size: UInt64
    var isBigEndian = false

    private let source: any ByteSource
    private let window: UnsafeMutableRawBufferPointer
    private var windowStart: UInt64 = 0
    private var windowCount = 0
    private var index = 0

    init(_ source: any ByteSource) {
        self.source = source
        size = source.size
        window = .allocate(byteCount: Self.windowCapacity, alignment: 16)
    }

    deinit { window.deallocate() }

    /// Bytes from the start of the file to the next byte to be read.
    var position: UInt64 { windowStart + UInt64(index) }

    var remaining: UInt64 { size - position }
}

// MARK: - Moving

extension ByteCursor {
    mutating func skip(_ count: UInt64) throws(GGUFReaderError) {
        guard count <= remaining else { throw .truncated(offset: position) }
        try seek(to: position + count)
    }

    mutating func seek(to target: UInt64) throws(GGUFReaderError) {
        guard target <= size else { throw .truncated(offset: size) }
        if target >= windowStart, target - windowStart <= UInt64(windowCount) {
            index = Int(target - windowStart)
        } else {
            windowStart = target
            windowCount = 0
            index = 0
        }
    }

    /// Refuses `count` items of at least `unit` bytes each when they cannot fit into the bytes left.
    ///
    /// More than the whole file could hold is an invented number; otherwise the file has probably been cut off.
    func claim(_ count: UInt64, unit: UInt64, field: @autoclosure () -> String) throws(GGUFReaderError) {
        let (bytes, overflow) = count.multipliedReportingOverflow(by: unit)
        if !overflow, bytes <= remaining { return }
        if overflow || bytes > size { throw .hostileCount(field: field(), value: count) }
        throw .truncated(offset: position)
    }

    /// Makes the next `count` bytes available in the window; `count` is at most `windowCapacity`.
    private mutating func fill(_ count: Int) throws(GGUFReaderError) {
        if windowCount - index >= count { return }
        guard UInt64(count) <= remaining else { throw .truncated(offset: position) }
        windowStart = position
        windowCount = 0
        index = 0
        let wanted = Int(min(UInt64(Self.windowCapacity), remaining))
        while windowCount < count {
            let free = UnsafeMutableRawBufferPointer(rebasing: window[windowCount..<wanted])
            let copied = try source.read(into: free, at: windowStart + UInt64(windowCount))
            guard copied > 0 else { throw .truncated(offset: windowStart + UInt64(windowCount)) }
            windowCount += copied
        }
    }
}

// MARK: - Values

extension ByteCursor {
    mutating func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type = Number.self
    ) throws(GGUFReaderError) -> Number {
        let length = MemoryLayout<Number>.size
        try fill(length)
        let stored = window.loadUnaligned(fromByteOffset: index, as: Number.self)
        index += length
        return isBigEndian ? Number(bigEndian: stored) : Number(littleEndian: stored)
    }

    /// Reads `count` bytes that `claim` has accepted.
    mutating func bytes(_ count: UInt64) throws(GGUFReaderError) -> [UInt8] {
        guard count <= remaining, let total = Int(exactly: count) else { throw .truncated(offset: position) }
        var result: [UInt8] = []
        result.reserveCapacity(total)
        while result.count < total {
            try fill(1)
            let part = min(total - result.count, windowCount - index)
            result.append(contentsOf: window[index..<index + part])
            index += part
        }
        return result
    }

    /// Reads `count` bytes of text that `claim` has accepted; bytes that are not UTF-8 become U+FFFD.
    mutating func text(_ count: UInt64) throws(GGUFReaderError) -> String {
        guard count <= UInt64(Self.windowCapacity) else { return String(decoding: try bytes(count), as: UTF8.self) }
        let length = Int(count)
        try fill(length)
        defer { index += length }
        return String(decoding: window[index..<index + length], as: UTF8.self)
    }

    /// Reads the length of a string and checks it against the bytes left.
    mutating func stringLength(field: @autoclosure () -> String) throws(GGUFReaderError) -> UInt64 {
        let length = try load(UInt64.self)
        try claim(length, unit: 1, field: field())
        return length
    }
}

// MARK: - Runs of strings

extension ByteCursor {
    /// Steps over `count` strings without building any.
    mutating func skipStrings(_ count: UInt64, field: @autoclosure () -> String) throws(GGUFReaderError) {
        var left = count
        while true {
            left -= skipStringsInWindow(atMost: left)
            if left == 0 { return }
            // This string reaches beyond the window: move to it, then go on with full windows.
            let length = try stringLength(field: field())
            try skip(length)
            left -= 1
        }
    }

    private mutating func skipStringsInWindow(atMost limit: UInt64) -> UInt64 {
        let bytes = UnsafeRawBufferPointer(window)
        let end = windowCount
        var here = index
        var skipped: UInt64 = 0
        while skipped < limit, end - here >= 8 {
            let stored = bytes.loadUnaligned(fromByteOffset: here, as: UInt64.self)
            let length = isBigEndian ? UInt64(bigEndian: stored) : UInt64(littleEndian: stored)
            guard length <= UInt64(end - here - 8) else { break }
            here += 8 + Int(length)
            skipped += 1
        }
        index = here
        return skipped
    }

    /// Shows the bytes of `count` strings, one after the other; the pointer is valid during the call only.
    mutating func forEachString(
        _ count: UInt64, field: @autoclosure () -> String,
        _ body: (UnsafeRawBufferPointer) throws(GGUFReaderError) -> Void
    ) throws(GGUFReaderError) {
        for _ in 0..<count {
            let length = try stringLength(field: field())
            if length <= UInt64(Self.windowCapacity) {
                try fill(Int(length))
                try body(UnsafeRawBufferPointer(rebasing: window[index..<index + Int(length)]))
                index += Int(length)
            } else {
                let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(length), alignment: 1)
                defer { copy.deallocate() }
                copy.copyBytes(from: try bytes(length))
                try body(UnsafeRawBufferPointer(copy))
            }
        }
    }
}
