import Foundation

/// Writes small GGUF files, right or wrong ones.
struct GGUFBuilder {
    enum Value {
        case uint16(UInt16)
        case uint32(UInt32)
        case float32(Float)
        case bool(Bool)
        case string(String)
        case strings([String])
        case floats([Float])
        case ints([Int32])
        case uints([UInt32])
    }

    struct Tensor {
        var name: String
        var dimensions: [UInt64]
        /// ggml's number of the type; 0 is a 32-bit float.
        var type: UInt32 = 0
        var bytes: Data
    }

    var metadata: [(key: String, value: Value)] = []
    var tensors: [Tensor] = []

    mutating func set(_ key: String, _ value: Value) {
        metadata.removeAll { $0.key == key }
        metadata.append((key, value))
    }

    mutating func add(_ name: String, _ dimensions: [Int], _ element: (Int) -> Float) {
        var bytes = Data()
        for index in 0..<dimensions.reduce(1, *) {
            bytes.append(little: element(index).bitPattern)
        }
        tensors.append(Tensor(name: name, dimensions: dimensions.map(UInt64.init), bytes: bytes))
    }

    mutating func replace(_ name: String, _ change: (inout Tensor) -> Void) {
        for index in tensors.indices where tensors[index].name == name {
            change(&tensors[index])
        }
    }

    var data: Data {
        var header = Data("GGUF".utf8)
        header.append(little: UInt32(3))
        header.append(little: UInt64(tensors.count))
        header.append(little: UInt64(metadata.count))
        for entry in metadata {
            header.append(text: entry.key)
            header.append(value: entry.value)
        }
        var body = Data()
        for tensor in tensors {
            header.append(text: tensor.name)
            header.append(little: UInt32(tensor.dimensions.count))
            tensor.dimensions.forEach { header.append(little: $0) }
            header.append(little: tensor.type)
            header.append(little: UInt64(body.count))
            body.append(tensor.bytes)
            body.pad(to: 32)
        }
        header.pad(to: 32)
        return header + body
    }
}

extension Data {
    fileprivate mutating func append(little value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func append(text: String) {
        append(little: UInt64(text.utf8.count))
        append(contentsOf: text.utf8)
    }

    fileprivate mutating func append(arrayOf type: UInt32, count: Int) {
        append(little: UInt32(9))
        append(little: type)
        append(little: UInt64(count))
    }

    fileprivate mutating func append(value: GGUFBuilder.Value) {
        switch value {
        case .uint16(let number):
            append(little: UInt32(2))
            append(little: number)
        case .uint32(let number):
            append(little: UInt32(4))
            append(little: number)
        case .float32(let number):
            append(little: UInt32(6))
            append(little: number.bitPattern)
        case .bool(let flag):
            append(little: UInt32(7))
            append(flag ? 1 : 0)
        case .string(let text):
            append(little: UInt32(8))
            append(text: text)
        case .strings(let texts):
            append(arrayOf: 8, count: texts.count)
            texts.forEach { append(text: $0) }
        case .floats(let numbers):
            append(arrayOf: 6, count: numbers.count)
            numbers.forEach { append(little: $0.bitPattern) }
        case .ints(let numbers):
            append(arrayOf: 5, count: numbers.count)
            numbers.forEach { append(little: $0) }
        case .uints(let numbers):
            append(arrayOf: 4, count: numbers.count)
            numbers.forEach { append(little: $0) }
        }
    }

    fileprivate mutating func pad(to alignment: Int) {
        while count % alignment != 0 {
            append(0)
        }
    }
}
