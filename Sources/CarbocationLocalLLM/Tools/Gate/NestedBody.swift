/// A body whose kind showed only after some bytes, from there on.
struct NestedBody: Sendable {
    private var scanner: any CallBodyScanning
    /// How much was read before.
    private let offset: Int

    init(_ rule: CallBodyRule, at offset: Int, closers: [String], boundaries: [String]) {
        scanner = rule.scanner(closers: closers, boundaries: boundaries)
        self.offset = offset
    }

    mutating func read(_ byte: UInt8) -> CallVerdict {
        scanner.read(byte).shifted(by: offset)
    }

    func atEnd() -> CallVerdict {
        scanner.atEnd().shifted(by: offset)
    }
}
