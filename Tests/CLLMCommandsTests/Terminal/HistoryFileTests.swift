import Foundation
import TestSupport
import Testing

@testable import CLLMCommands

@Suite struct HistoryFileTests {
    private let path: String

    init() throws {
        let folder = TemporaryFile.newFolder()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("history").path
    }

    @Test("entries come back as they were, whatever is in them")
    func roundTrip() throws {
        let file = HistoryFile(path: path)
        let entries = ["one", "a\nb\n", #"back\slash \n \\"#, "漢 e\u{301}", "\t", #"\"#]
        #expect(try file.read().isEmpty)
        for entry in entries { try file.append(entry) }
        #expect(try file.read() == entries)
    }

    @Test("only the user can read the file, and no draft of it stays")
    func permissions() throws {
        try HistoryFile(path: path).append("private")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["history"])
    }

    @Test("a link stays one, also when what it leads to does not exist yet")
    func links() throws {
        let link = path + ".link"
        let other = path + ".other"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other)
        try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: "history")
        for entry in ["one", "two"] { try HistoryFile(path: link).append(entry) }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == other)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: other) == "history")
        #expect(try HistoryFile(path: path).read() == ["one", "two"])
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 3)
    }

    @Test("the oldest entries go when there are too many, or too much")
    func limits() throws {
        let file = HistoryFile(path: path)
        let many = (0..<3000).map { "entry \($0)\n" }.joined()
        try Data(many.utf8).write(to: URL(fileURLWithPath: path))
        try file.append("last")
        #expect(try file.read().count == LineHistory.countLimit)
        #expect(try file.read().suffix(2) == ["entry 2999", "last"])
        let long = String(repeating: "x", count: HistoryFile.sizeLimit / 2)
        for _ in 0..<3 { try file.append(long) }
        #expect(try file.read() == [long])
    }

    @Test("any bytes can be read", arguments: 0..<20 as Range<UInt64>)
    func hostileBytes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<500).map { _ in UInt8.random(in: 0...255, using: &random) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let file = HistoryFile(path: path)
        let entries = try file.read()
        try file.append("end")
        #expect(try file.read() == entries + ["end"])
    }
}
