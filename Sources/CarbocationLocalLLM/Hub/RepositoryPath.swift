import Foundation

/// The path of a file or folder inside a repository that is safe to use below a local folder.
///
/// Every component is a plain name: not empty, neither `.` nor `..`, without backslash and NUL.
package struct RepositoryPath: Sendable, Hashable {
    /// The path, with `/` between its components.
    package let text: String

    /// Nil when the path is unsafe.
    package init?(_ text: String) {
        let components = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard components.allSatisfy({ Self.isSafe($0) }) else { return nil }
        self.text = text
    }

    /// Nil when the path is unsafe, or when a component hides a slash.
    package init?(percentEncoded components: [Substring]) {
        var names: [String] = []
        for component in components {
            guard let name = component.removingPercentEncoding, !name.utf8.contains(UInt8(ascii: "/")) else {
                return nil
            }
            names.append(name)
        }
        self.init(names.joined(separator: "/"))
    }

    /// The last component.
    package var name: String { String(text[(text.lastIndex(of: "/").map(text.index(after:)) ?? text.startIndex)...]) }

    /// The path of the folder, empty for the root.
    package var folder: String { text.lastIndex(of: "/").map { String(text[..<$0]) } ?? "" }

    /// Whether the name ends in `.gguf` in any case.
    package var isGGUF: Bool { ModelFileName.isGGUF(text) }

    /// Whether the path is inside the folder, at any depth.
    package func isBelow(_ folder: String) -> Bool { text.utf8.starts(with: "\(folder)/".utf8) }

    /// The path for use in a URL: everything but letters, digits, `-._~` and the slashes is encoded.
    package var percentEncoded: String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if Self.isPlain(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), Self.hexDigits[Int(byte >> 4)], Self.hexDigits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    private static func isSafe(_ component: some Collection<UInt8>) -> Bool {
        guard !component.isEmpty, !component.elementsEqual(".".utf8), !component.elementsEqual("..".utf8) else {
            return false
        }
        return !component.contains { $0 == 0 || $0 == UInt8(ascii: "\\") }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~/".utf8.contains(byte)
        }
    }
}
