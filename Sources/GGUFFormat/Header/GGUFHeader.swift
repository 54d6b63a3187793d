/// The metadata of a GGUF file, as far as it was captured.
package struct GGUFHeader: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package let key: String
        package let value: GGUFValue

        package init(key: String, value: GGUFValue) {
            self.key = key
            self.value = value
        }
    }

    package let version: UInt32
    package let isBigEndian: Bool
    package let tensorCount: UInt64

    /// How many key-values the file has, captured or not.
    package let keyValueCount: UInt64

    package let fileSize: UInt64

    /// The captured key-values in file order.
    ///
    /// Of a repeated key only the first occurrence counts.
    package private(set) var entries: [Entry] = []

    /// The alignment of tensor data in bytes: `general.alignment`, else 32.
    package internal(set) var alignment: UInt64 = 32

    /// Where the tensor table begins, in bytes from the start of the file; nil when reading stopped early.
    package internal(set) var tensorTableOffset: UInt64?

    private var positions: [String: Int] = [:]

    init(version: UInt32, isBigEndian: Bool, tensorCount: UInt64, keyValueCount: UInt64, fileSize: UInt64) {
        self.version = version
        self.isBigEndian = isBigEndian
        self.tensorCount = tensorCount
        self.keyValueCount = keyValueCount
        self.fileSize = fileSize
    }

    package subscript(key: String) -> GGUFValue? { positions[key].map { entries[$0].value } }

    mutating func append(_ value: GGUFValue, for key: String) {
        guard positions[key] == nil else { return }
        positions[key] = entries.count
        entries.append(Entry(key: key, value: value))
    }
}
