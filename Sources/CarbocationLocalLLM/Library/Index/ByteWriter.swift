/// Appends numbers and texts to bytes, least significant byte first.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func raw(_ raw: UnsafeRawBufferPointer) { bytes.append(contentsOf: raw) }

    mutating func number(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { raw($0) }
    }

    mutating func number(_ number: Double) { self.number(number.bitPattern) }

    mutating func flag(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    mutating func text(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            number(UInt32(clamping: utf8.count))
            bytes.append(contentsOf: utf8.prefix(Int(UInt32.max)))
        }
    }

    mutating func optional<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
        flag(value != nil)
        if let value { write(&self, value) }
    }

    mutating func list<Element>(_ elements: [Element], _ write: (inout ByteWriter, Element) -> Void) {
        number(UInt32(clamping: elements.count))
        for element in elements { write(&self, element) }
    }
}
