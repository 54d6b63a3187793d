import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct DebugGrammarCommandTests {
    private static let schema = #"{"type":"integer","minimum":3}"#

    @Test("--json-schema prints the grammar, from a file or from the command line")
    func grammar() async throws {
        let file = try TemporaryFile(Self.schema)
        let expected = try JSONSchemaGrammar.gbnf(for: LLMJSONValue(jsonString: Self.schema))
        for source in [file.path, Self.schema] {
            let session = CommandSession()
            #expect(await session.run("debug", "grammar", "--json-schema", source) == 0)
            #expect(session.output.text == expected)
            #expect(session.errors.text.isEmpty)
        }
    }

    @Test("a schema that is refused ends with 1 and one line")
    func refusedSchema() async {
        let session = CommandSession()
        #expect(await session.run("debug", "grammar", "--json-schema", #"{"items":{"not":{}}}"#) == 1)
        #expect(session.output.text.isEmpty)
        #expect(session.errors.text == "cllm: The JSON schema is not supported: #/items: not is not supported.\n")
    }

    @Test("--check ends with 0 if the whole text matches, else with 1")
    func check() async throws {
        let grammar = try TemporaryFile("root ::= x")
        let same = try TemporaryFile("root ::= x")
        let other = try TemporaryFile("else")
        let session = CommandSession()
        #expect(await session.run("debug", "grammar", "--check", grammar.path) == 0)
        #expect(await session.run("debug", "grammar", "--check", grammar.path, "--input", same.path) == 0)
        #expect(session.output.text.isEmpty && session.errors.text.isEmpty)
        #expect(await session.run("debug", "grammar", "--check", grammar.path, "--input", other.path) == 1)
        #expect(session.errors.text == "cllm: The text of '\(other.path)' does not match the grammar.\n")
    }

    @Test("a grammar that is refused ends with 1 and the reason")
    func refusedGrammar() async throws {
        let session = CommandSession()
        #expect(await session.run("debug", "grammar", "--check", try TemporaryFile("x ::= y").path) == 1)
        #expect(session.errors.text == "cllm: The grammar could not be read: it has no root.\n")
    }

    @Test("--check also takes a schema", arguments: [schema, "  true\n"])
    func checkedSchema(text: String) async throws {
        let grammar = try JSONSchemaGrammar.gbnf(for: LLMJSONValue(jsonString: text))
        let file = try TemporaryFile(text)
        let input = try TemporaryFile(grammar)
        let session = CommandSession()
        #expect(await session.run("debug", "grammar", "--check", file.path, "--input", input.path) == 0)
        #expect(await session.run("debug", "grammar", "--json-schema", file.path, "--input", input.path) == 0)
        #expect(session.output.text.isEmpty)
    }

    @Test("--json says what was found")
    func json() async throws {
        let grammar = try TemporaryFile("root ::= x")
        let other = try TemporaryFile("else")
        var session = CommandSession()
        #expect(await session.run("debug", "grammar", "--json", "--check", grammar.path, "--input", grammar.path) == 0)
        #expect(try session.json() == ["valid": true, "matches": true, "error": nil])
        session = CommandSession()
        #expect(await session.run("debug", "grammar", "--json", "--check", grammar.path, "--input", other.path) == 1)
        #expect(try session.json() == ["valid": true, "matches": false, "error": nil])
        session = CommandSession()
        #expect(await session.run("debug", "grammar", "--json", "--json-schema", #"{"not":{}}"#) == 1)
        let error: LLMJSONValue = "The JSON schema is not supported: #: not is not supported."
        #expect(try session.json() == ["valid": false, "matches": nil, "error": error])
    }

    @Test("a build without llama.cpp still prints grammars")
    func unavailable() async throws {
        var session = CommandSession()
        session.runtime = FakeRuntime(versions: nil)
        #expect(await session.run("debug", "grammar", "--json-schema", Self.schema) == 0)
        #expect(session.output.text.hasPrefix("root ::= "))
    }

    @Test(
        "one of the two sources is needed",
        arguments: [[], ["--json-schema", "{}", "--check", "x"], ["--input", "x"]])
    func usage(arguments: [String]) async {
        #expect(await CommandSession().run(["debug", "grammar"] + arguments) == 2)
    }

    @Test("files that cannot be read are failures")
    func missingFiles() async throws {
        let session = CommandSession()
        #expect(await session.run("debug", "grammar", "--check", "/nowhere") == 1)
        #expect(await session.run("debug", "grammar", "--json-schema", "{}", "--input", "/nowhere") == 1)
        #expect(session.errors.text.contains("'/nowhere' cannot be read"))
    }
}
