import CLibXML2
import Foundation

/// Converts an encoding to UTF-8 with the system's `iconv`.
final class SystemConverter {
    private let descriptor: iconv_t
    private var output: [UInt8] = []

    private static let replacement = Array("\u{FFFD}".utf8)

    /// How a step ended.
    private enum Step {
        case finished, bufferFull, incompleteCharacter, noCharacter
    }

    /// Nil if the system knows none of the names.
    init?(names: [String]) {
        // Failure is the pointer whose bits are all set.
        let failure = iconv_t(bitPattern: -1)
        let opened = names.lazy.compactMap { iconv_open("UTF-8", $0) }.first { $0 != failure }
        guard let opened else { return nil }
        descriptor = opened
    }

    deinit {
        iconv_close(descriptor)
    }

    /// The whole text, with U+FFFD for each byte that belongs to no character; one that was cut at the end is dropped.
    func text(of bytes: [UInt8], isTruncated: Bool) -> String {
        output = []
        output.reserveCapacity(bytes.count + bytes.count / 2)
        var input = bytes
        input.withUnsafeMutableBytes { convert($0, isTruncated: isTruncated) }
        return String(decoding: output, as: UTF8.self)
    }

    private func convert(_ input: UnsafeMutableRawBufferPointer, isTruncated: Bool) {
        var next = input.baseAddress?.assumingMemoryBound(to: CChar.self)
        var left = input.count
        while left > 0 {
            switch step(&next, &left) {
            case .finished, .bufferFull: continue
            case .incompleteCharacter:
                if !isTruncated { output += Self.replacement }
                left = 0
            case .noCharacter:
                output += Self.replacement
                next = next?.advanced(by: 1)
                left -= 1
            }
        }
        // Some encodings hold a letter back for the accent that may follow.
        var nothing: UnsafeMutablePointer<CChar>?
        var none = 0
        _ = step(&nothing, &none)
    }

    private func step(_ next: inout UnsafeMutablePointer<CChar>?, _ left: inout Int) -> Step {
        let room = 4_096
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) { buffer in
            var target = buffer.baseAddress
            var space = room
            let result = iconv(descriptor, &next, &left, &target, &space)
            let code = errno
            output.append(contentsOf: UnsafeRawBufferPointer(buffer).prefix(room - space))
            guard result == -1 else { return .finished }
            return code == E2BIG ? .bufferFull : code == EINVAL ? .incompleteCharacter : .noCharacter
        }
    }
}
