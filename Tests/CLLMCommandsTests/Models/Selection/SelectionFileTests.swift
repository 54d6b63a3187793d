import CarbocationLocalLLM
import Foundation
import Testing

@testable import CLLMCommands

@Suite struct SelectionFileTests {
    private let root = TemporaryFile.newFolder()
    private var file: SelectionFile { SelectionFile(modelsRoot: root) }
    private var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []).sorted() }

    @Test("keeps the last selection, in the models folder and nothing beside it")
    func roundTrip() throws {
        #expect(try file.read() == nil)
        let selection = LLMModelSelection.installed(UUID())
        try file.write(.system(.appleIntelligence))
        #expect(try file.read() == .system(.appleIntelligence))
        try file.write(selection)
        #expect(try file.read() == selection)
        #expect(names == [".selection"])
        let text = try String(contentsOf: root.appendingPathComponent(".selection"), encoding: .utf8)
        #expect(text == selection.storageValue + "\n")
    }

    @Test("forgets the selection, twice if need be")
    func removal() throws {
        try file.write(.installed(UUID()))
        try file.remove()
        #expect(try file.read() == nil)
        try file.remove()
    }

    @Test("what is no selection counts as none", arguments: ["", "hello", "\u{0}\u{1}"])
    func garbage(text: String) throws {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: root.appendingPathComponent(".selection"))
        #expect(try file.read() == nil)
    }

    @Test("SC-7: a file that is no small plain file is refused unread")
    func hostileFiles() throws {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        let url = root.appendingPathComponent(".selection")
        try Data(repeating: 65, count: 5000).write(to: url)
        #expect(throws: FileFailure.self) { try file.read() }
        try FileManager.default.removeItem(at: url)
        try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: "/dev/zero")
        #expect(throws: FileFailure.self) { try file.read() }
    }

    @Test("a folder that cannot be written is an error")
    func unwritable() throws {
        let file = SelectionFile(modelsRoot: URL(fileURLWithPath: "/dev/null/models", isDirectory: true))
        #expect(throws: FileFailure.self) { try file.write(.installed(UUID())) }
    }
}
