import CarbocationLocalLLM
import Foundation

/// Keeps the lines that were entered, if the user names a file for them.
///
/// What people ask a model is private, so nothing is kept unless they want it. Each line of the file is an entry, with
/// `\n` for its line breaks and `\\` for its backslashes. What the user names may be a link to the file.
struct HistoryFile: Sendable, Hashable {
    static let variable = "CLLM_HISTORY"
    /// The most bytes that are kept; older entries go first.
    static let sizeLimit = 1 << 20
    /// A larger file is something else.
    private static let readLimit = 4 * sizeLimit
    /// As many links as systems follow.
    private static let linkLimit = 40

    private let path: String

    init(path: String) {
        self.path = path
    }

    /// The file that the user names, nil when there is none.
    init?(variables: [String: String]) {
        guard let path = variables[Self.variable], !path.isEmpty else { return nil }
        self.init(path: path)
    }

    /// The entries, the oldest first; none when there is no file yet.
    func read() throws -> [String] {
        do throws(FileFailure) {
            let bytes = try SystemFileCalls().contents(of: target(), limit: Self.readLimit).bytes
            return bytes.split(separator: UInt8(ascii: "\n")).map(Self.entry)
        } catch {
            guard error.isMissing else { throw error }
            return []
        }
    }

    /// Adds an entry, in one step and for nobody else to read.
    ///
    /// The file is read again first, so that sessions at the same time keep each other's entries, except those that are
    /// added at the very same moment.
    func append(_ entry: String) throws {
        let entries = try (read() + [entry]).suffix(LineHistory.countLimit)
        var lines: [[UInt8]] = []
        var size = 0
        for line in entries.reversed().lazy.map(Self.line) {
            size += line.count
            guard size <= Self.sizeLimit else { break }
            lines.append(line)
        }
        try replace(with: Array(lines.reversed().joined()))
    }

    private func replace(with bytes: [UInt8]) throws {
        let calls = SystemFileCalls()
        let target = target()
        let draft = "\(target).\(UUID().uuidString)"
        do {
            try write(bytes, to: draft, calls)
            try calls.rename(draft, to: target)
        } catch {
            try? calls.removeFile(draft)
            throw error
        }
    }

    /// The path of the file itself, which need not exist yet, so that links to it stay.
    private func target() -> String {
        var target = path
        for _ in 0..<Self.linkLimit {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else { break }
            let folder = URL(fileURLWithPath: target).deletingLastPathComponent()
            target = next.hasPrefix("/") ? next : folder.appendingPathComponent(next).path
        }
        return target
    }

    private func write(_ bytes: [UInt8], to draft: String, _ calls: SystemFileCalls) throws {
        let descriptor = try calls.open(draft, for: .creatingPrivately(permissions: 0o600))
        defer { calls.close(descriptor) }
        let result = bytes.withUnsafeBytes { all in
            Result { () throws(FileFailure) in try calls.write(descriptor, all: all, at: draft) }
        }
        try result.get()
    }

    private static func line(_ entry: String) -> [UInt8] {
        var line: [UInt8] = []
        for byte in entry.utf8 {
            switch byte {
            case UInt8(ascii: "\n"): line += Array(#"\n"#.utf8)
            case UInt8(ascii: "\\"): line += Array(#"\\"#.utf8)
            default: line.append(byte)
            }
        }
        return line + [UInt8(ascii: "\n")]
    }

    private static func entry(_ line: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in line {
            if isEscaped {
                bytes.append(byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
