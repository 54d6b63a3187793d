import Foundation
import Testing

@testable import CLLMCommands

@Suite struct ModelFilePathTests {
    private static func message(_ path: String) -> String? {
        let error = #expect(throws: CommandFailure.self) { try ModelFilePath.file(at: path, named: "'\(path)'") }
        return error?.message
    }

    @Test("follows links and takes paths as they are")
    func links() throws {
        let model = try TemporaryFile.model()
        let link = model.path + "-link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: model.path)
        #expect(try ModelFilePath.file(at: model.path, named: "m").path == model.path)
        #expect(try ModelFilePath.file(at: link, named: "m").path == link)
    }

    @Test("says what is wrong with a path")
    func mistakes() throws {
        let missing = "/nonexistent/model.gguf"
        #expect(Self.message(missing) == "The model '\(missing)' cannot be opened: there is no such file.")
        #expect(Self.message("/")?.contains("it is a folder") == true)
        #expect(Self.message("/dev/null")?.contains("it is not a regular file") == true)
        let text = try TemporaryFile("hello")
        #expect(Self.message(text.path)?.contains("it is not a GGUF file") == true)
        #expect(Self.message(try TemporaryFile("GGU").path)?.contains("it is not a GGUF file") == true)
        #expect(Self.message(text.path + "/x")?.contains("cannot be opened: ") == true)
    }

    @Test(
        "tells texts that can only be paths",
        arguments: [
            ("/a", true), ("./a", true), ("../a", true), ("~/a", true), ("a/b", false), ("a.gguf", false),
        ])
    func paths(text: String, isPath: Bool) {
        #expect(ModelFilePath.isPath(text) == isPath)
    }
}
