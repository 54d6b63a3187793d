/// The full check of a GGUF file: its header, its tensor table, and that the data of every tensor is there.
///
/// Tensor data itself is not read, so the cost is that of reading the metadata. Each part of a split model is a file of
/// its own here; see ``GGUFShardSet`` for what the parts must have in common.
package struct GGUFFileCheck: Sendable {
    /// What the file is checked for.
    package enum Purpose: Sendable {
        /// The rules of the format, in either byte order. A repeated key is allowed; its first value counts.
        case inspection

        /// Also everything that the model runtime refuses, or that would end the process when it opens the file:
        /// foreign byte order, repeated or empty keys, nested arrays, gaps between tensors, tensors that are not on a
        /// 32-byte boundary, and model dimensions that contradict each other.
        case loading
    }

    /// What a file that passed is made of.
    package struct Report: Sendable, Equatable {
        package let header: GGUFHeader

        /// The elements of all tensors of this file.
        package let parameterCount: UInt64

        /// The bytes of all tensors of this file, without padding.
        package let tensorByteCount: UInt64

        /// Where the data section begins, in bytes from the start of the file.
        package let dataOffset: UInt64
    }

    package let purpose: Purpose

    package init(for purpose: Purpose = .loading) {
        self.purpose = purpose
    }

    /// Checks `source` and keeps the metadata that `capture` selects.
    package func report(
        on source: any ByteSource, capture: GGUFCapture = .modelFacts
    ) throws(GGUFReaderError) -> Report {
        var capture = capture
        capture.stopsEarly = false
        if purpose == .loading { capture.addLoadGuardKeys() }
        var parser = HeaderParser(source, capture: capture, isForRuntime: purpose == .loading)
        let header = try parser.parse()
        if purpose == .loading, header.isBigEndian != Self.hostIsBigEndian {
            let order = header.isBigEndian ? "big-endian" : "little-endian"
            throw .malformed("its numbers are stored in \(order) order, which is not supported on this computer.")
        }
        var cursor = parser.finish()
        let report = try checkTensors(of: header, &cursor)
        if purpose == .loading { try LoadGuards(header: header).check(&cursor) }
        return report
    }

    private static var hostIsBigEndian: Bool { 1.bigEndian == 1 }
}

// MARK: - Tensors

extension GGUFFileCheck {
    private func checkTensors(of header: GGUFHeader, _ cursor: inout ByteCursor) throws(GGUFReaderError) -> Report {
        var table = TensorTable()
        var layout = DataLayout(alignment: header.alignment, isForRuntime: purpose == .loading)
        var parameterCount: UInt64 = 0
        for _ in 0..<header.tensorCount {
            let tensor = try table.next(&cursor)
            try layout.place(tensor)
            let (sum, overflow) = parameterCount.addingReportingOverflow(tensor.elementCount)
            if overflow { throw TensorTable.refusal(tensor.name, "is too large") }
            parameterCount = sum
        }
        let dataOffset = try layout.dataOffset(tableEnd: cursor.position, fileSize: header.fileSize)
        return Report(
            header: header, parameterCount: parameterCount, tensorByteCount: layout.byteCount, dataOffset: dataOffset)
    }
}
