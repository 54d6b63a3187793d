/// The names met so far, to find the ones that occur twice.
///
/// Names are compared byte by byte as the runtime does, not as text, where different bytes can be equal.
struct NameLedger {
    private var names: Set<[UInt8]> = []

    /// Enough for a million names of the usual length; real models have some ten thousand at most.
    private var budget = CaptureBudget(left: 128 << 20)

    /// Records a name and says whether it is new.
    mutating func insert(_ name: [UInt8]) throws(GGUFReaderError) -> Bool {
        guard budget.take(UInt64(name.count) + 64) else { throw .malformed("it has too many names.") }
        return names.insert(name).inserted
    }
}
