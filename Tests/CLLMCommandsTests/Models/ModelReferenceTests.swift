import Foundation
import Testing

@testable import CLLMCommands

@Suite struct ModelReferenceTests {
    private static func message(_ reference: String?, variables: [String: String] = [:]) -> String? {
        let error = #expect(throws: CommandFailure.self) {
            try ModelReference.resolve(reference, variables: variables)
        }
        return error?.message
    }

    @Test("finds a file by its path, else by CLLM_MODEL")
    func files() throws {
        let given = try TemporaryFile.model()
        let other = try TemporaryFile.model()
        let variables = ["CLLM_MODEL": other.path]
        #expect(try ModelReference.resolve(given.path, variables: variables).path == given.path)
        #expect(try ModelReference.resolve(nil, variables: variables).path == other.path)
    }

    @Test("follows links and takes relative paths as they are")
    func links() throws {
        let model = try TemporaryFile.model()
        let link = model.path + "-link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: model.path)
        #expect(try ModelReference.resolve(link, variables: [:]).path == link)
    }

    @Test("no model at all says how to get one", arguments: [[:], ["CLLM_MODEL": ""]])
    func none(variables: [String: String]) {
        let message = Self.message(nil, variables: variables)
        #expect(message?.hasPrefix("No model is given: ") == true)
        #expect(message?.contains("make setup") == true)
        #expect(message?.contains("CLLM_MODEL") == true)
    }

    @Test("says what is wrong with a path")
    func mistakes() throws {
        let missing = "/nonexistent/model.gguf"
        #expect(Self.message(missing) == "The model '\(missing)' cannot be opened: there is no such file.")
        let fromVariable = Self.message(nil, variables: ["CLLM_MODEL": missing])
        #expect(fromVariable?.hasPrefix("The model '\(missing)' (from CLLM_MODEL) cannot be opened") == true)
        #expect(Self.message("/")?.contains("it is a folder") == true)
        #expect(Self.message("/dev/null")?.contains("it is not a regular file") == true)
        let text = try TemporaryFile("hello")
        #expect(Self.message(text.path)?.contains("it is not a GGUF file") == true)
        #expect(Self.message(try TemporaryFile("GGU").path)?.contains("it is not a GGUF file") == true)
        #expect(Self.message(text.path + "/x")?.contains("cannot be opened: ") == true)
    }
}
