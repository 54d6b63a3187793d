/// Parses the part of a GGUF file before its tensor table.
struct HeaderParser: ~Copyable {
    static let maximumKeyBytes: UInt64 = 65_535

    /// Larger alignments than 1 MiB are refused: they only serve to make offsets overflow.
    static let maximumAlignment: UInt32 = 1 << 20

    private static let alignmentKey = "general.alignment"
    private static let magic: [UInt8] = Array("GGUF".utf8)

    private(set) var cursor: ByteCursor
    private let capture: GGUFCapture
    private let isForRuntime: Bool
    private var budget: CaptureBudget
    private var ledger = NameLedger()
    private var selectedKeys: Set<String> = []
    private var hasAlignment = false

    /// Prepares to parse `source`; `isForRuntime` also refuses what the format allows but the model runtime does not.
    init(_ source: any ByteSource, capture: GGUFCapture, isForRuntime: Bool) {
        cursor = ByteCursor(source)
        self.capture = capture
        self.isForRuntime = isForRuntime
        budget = CaptureBudget(left: capture.memoryLimit)
    }

    mutating func parse() throws(GGUFReaderError) -> GGUFHeader {
        try readMagic()
        let version = try readVersion()
        let tensorCount = try cursor.load(UInt64.self)
        let keyValueCount = try cursor.load(UInt64.self)
        // The smallest entries: an empty key with a byte, and an empty name without dimensions.
        try refuse(keyValueCount, beyond: cursor.remaining / 13, field: "number of key-values")
        try refuse(tensorCount, beyond: cursor.remaining / 24, field: "number of tensors")
        var header = GGUFHeader(
            version: version, isBigEndian: cursor.isBigEndian, tensorCount: tensorCount,
            keyValueCount: keyValueCount, fileSize: cursor.size)
        let stopCount = capture.earlyStopCount
        for _ in 0..<keyValueCount {
            if let stopCount, selectedKeys.count >= stopCount { return header }
            try readKeyValue(into: &header)
        }
        header.tensorTableOffset = cursor.position
        return header
    }

    private func refuse(_ count: UInt64, beyond limit: UInt64, field: String) throws(GGUFReaderError) {
        if count > limit { throw .hostileCount(field: field, value: count) }
    }

    private mutating func readMagic() throws(GGUFReaderError) {
        guard cursor.size >= UInt64(Self.magic.count), try cursor.bytes(4) == Self.magic else { throw .notGGUF }
    }

    /// Reads the version, and with it the byte order: versions are small, so that a little-endian reading whose low
    /// half is zero belongs to a big-endian file.
    private mutating func readVersion() throws(GGUFReaderError) -> UInt32 {
        let stored = try cursor.load(UInt32.self)
        cursor.isBigEndian = stored & 0xFFFF == 0
        let version = cursor.isBigEndian ? stored.byteSwapped : stored
        guard (2...3).contains(version) else { throw .unsupportedVersion(version) }
        return version
    }

    private mutating func readKeyValue(into header: inout GGUFHeader) throws(GGUFReaderError) {
        let key = try readKey()
        let type = try ValueReader.type(&cursor)
        let reader = ValueReader(key: key, capture: capture, isForRuntime: isForRuntime)
        if key == Self.alignmentKey, !hasAlignment {
            hasAlignment = true
            let alignment = try readAlignment(type)
            header.alignment = UInt64(alignment)
            if try select(key) { header.append(.uint32(alignment), for: key) }
        } else if try select(key) {
            guard let value = try reader.read(type, &cursor, budget: &budget) else { return try refuseToDrop(key) }
            header.append(value, for: key)
        } else {
            try reader.skip(type, &cursor)
        }
    }

    private mutating func readKey() throws(GGUFReaderError) -> String {
        let length = try cursor.stringLength(field: "key length")
        guard length <= Self.maximumKeyBytes else {
            throw .malformed("it has a key of \(length) bytes; keys have at most 65,535.")
        }
        guard isForRuntime else { return try cursor.text(length) }
        let bytes = try cursor.bytes(length)
        // The runtime compares keys as C strings: a key with a zero byte would pass for another one.
        guard !bytes.isEmpty, !bytes.contains(0) else {
            throw .malformed("it has an empty key or one with a zero byte.")
        }
        guard try ledger.insert(bytes) else {
            throw .malformed("the key \(String(quoting: bytes)) occurs twice.")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether this is the first occurrence of a key that the caller wants and that may still be kept.
    private mutating func select(_ key: String) throws(GGUFReaderError) -> Bool {
        guard capture.selects(key), !selectedKeys.contains(key) else { return false }
        // A key is stored three times over: in the entries, in their index and among the keys met.
        guard budget.take(UInt64(key.utf8.count) + 192) else {
            try refuseToDrop(key)
            return false
        }
        selectedKeys.insert(key)
        return true
    }

    /// A file must not get past the guards by making the values that they look at too large to be kept.
    private func refuseToDrop(_ key: String) throws(GGUFReaderError) {
        guard isForRuntime, LoadGuards.looks(at: key) else { return }
        throw .malformed("it holds too much metadata to check the key \(key.quotedForMessage).")
    }

    private mutating func readAlignment(_ type: GGUFValueType) throws(GGUFReaderError) -> UInt32 {
        guard type == .uint32 else { throw .malformed("its general.alignment is not a 32-bit unsigned number.") }
        let alignment = try cursor.load(UInt32.self)
        guard alignment.nonzeroBitCount == 1, alignment <= Self.maximumAlignment else {
            throw .malformed("its general.alignment of \(alignment) is not a power of two from 1 to 1,048,576.")
        }
        return alignment
    }

    /// Gives up the cursor, which stands behind the last key-value that was read.
    consuming func finish() -> ByteCursor { cursor }
}
