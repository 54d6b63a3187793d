/// Where the tensors of a file lie in its data section.
///
/// Offsets count from the start of the section, which is known only when the whole table was read. So each tensor is
/// checked against the alignment and its predecessor at once, and the one that reaches furthest against the file's end.
struct DataLayout {
    /// The runtime maps data into buffers that must begin on this boundary, whatever the file's own alignment is.
    static let runtimeAlignment: UInt64 = 32

    let alignment: UInt64
    let isForRuntime: Bool

    private(set) var byteCount: UInt64 = 0

    private var expectedOffset: UInt64 = 0
    private var furthest: (tensor: TensorEntry, end: UInt64)?

    init(alignment: UInt64, isForRuntime: Bool) {
        self.alignment = alignment
        self.isForRuntime = isForRuntime
    }

    mutating func place(_ tensor: TensorEntry) throws(GGUFReaderError) {
        let boundary = isForRuntime ? max(alignment, Self.runtimeAlignment) : alignment
        guard tensor.offset.isMultiple(of: boundary) else {
            throw TensorTable.refusal(
                tensor.name, "begins at offset \(tensor.offset), which is no multiple of \(boundary)")
        }
        guard !isForRuntime || tensor.offset == expectedOffset else {
            throw TensorTable.refusal(
                tensor.name, "begins at offset \(tensor.offset) instead of \(expectedOffset), behind its predecessor")
        }
        guard let end = tensor.offset.adding(tensor.byteCount), let next = end.rounded(upTo: alignment),
            let total = byteCount.adding(tensor.byteCount)
        else { throw TensorTable.refusal(tensor.name, "is too large") }
        byteCount = total
        expectedOffset = next
        if end >= furthest?.end ?? 0 { furthest = (tensor, end) }
    }

    /// The start of the data section behind a table that ends at `tableEnd`, if all data fits into the file.
    func dataOffset(tableEnd: UInt64, fileSize: UInt64) throws(GGUFReaderError) -> UInt64 {
        // Without tensors there is no data section, and files of that kind are not padded.
        guard let furthest else { return tableEnd }
        guard let start = tableEnd.rounded(upTo: alignment), let end = start.adding(furthest.end), end <= fileSize
        else {
            throw TensorTable.refusal(
                furthest.tensor.name, "lies beyond the end of the file, which is probably incomplete")
        }
        guard !isForRuntime || start.isMultiple(of: Self.runtimeAlignment) else {
            throw TensorTable.refusal(furthest.tensor.name, "is not on a boundary of 32 bytes")
        }
        return start
    }
}

extension UInt64 {
    fileprivate func adding(_ other: UInt64) -> UInt64? {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? nil : sum
    }

    /// The next multiple of a power of two.
    fileprivate func rounded(upTo powerOfTwo: UInt64) -> UInt64? {
        adding(powerOfTwo - 1).map { $0 & ~(powerOfTwo - 1) }
    }
}
