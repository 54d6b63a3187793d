import CLlama
import Foundation
import Testing

@Suite("Grammars without a model", .needsRuntime)
struct GrammarTextTests {
    private func matches(_ grammar: String, _ text: [CChar]) throws -> Bool {
        var result = false
        try check(cl_grammar_matches(grammar, text, text.count, &result))
        return result
    }

    private func matches(_ grammar: String, _ text: String) throws -> Bool {
        try matches(grammar, text.utf8.map { CChar(bitPattern: $0) })
    }

    @Test(
        "ST-1: right grammars pass", arguments: ["root ::= \"a\"", "root ::= <[5]> !<think>*", "root ::= x?\nx ::= .+"])
    func right(grammar: String) {
        #expect(cl_grammar_check(grammar) == CL_OK)
    }

    @Test(
        "ST-1: wrong ones are refused",
        arguments: [
            ("", CL_GRAMMAR_INVALID), ("root ::= missing", CL_GRAMMAR_INVALID), ("root ::= <[5>", CL_GRAMMAR_INVALID),
            ("root ::= root \"a\"", CL_GRAMMAR_INVALID), ("root ::= (\"a\"?)*", CL_GRAMMAR_INVALID),
            ("root ::= " + String(repeating: "(", count: 300), CL_LIMIT_EXCEEDED),
            ("root ::= \"a\" #" + String(repeating: "x", count: 300_000), CL_LIMIT_EXCEEDED),
        ])
    func wrong(grammar: String, expected: cl_status) {
        #expect(cl_grammar_check(grammar) == expected)
        #expect(status { _ = try matches(grammar, "a") } == expected)
    }

    @Test(
        "G02: what may be empty is not repeated without bound",
        arguments: [
            "root ::= ((\"b\"?)*)+", "root ::= \"a\" x\nx ::= (\"a\"?)*",
            "root ::= \"a\" x\nx ::= \"\" y+\ny ::= \"a\"{0,3}",
            "root ::= \"a\" x\nx ::= (\"\" | \"b\"){5,}", "root ::= \"a\" x\nx ::= (y y)*\ny ::= \"a\"*",
        ])
    func nullableRepetition(grammar: String) {
        #expect(cl_grammar_check(grammar) == CL_GRAMMAR_INVALID)
        let reason = String(cString: cl_last_error())
        let name = grammar.contains("x ::=") ? "x" : "root"
        #expect(reason == "the grammar's rule \"\(name)\" repeats without end what may be empty")
    }

    @Test("The whole text has to belong to the grammar")
    func whole() throws {
        let grammar = "root ::= \"a\"+ (\"é\" | \"日\" | \"😀\")? [^x]?"
        for text in ["a", "aaa", "aé", "a日!", "a😀\n", "aa\u{10FFFF}"] { #expect(try matches(grammar, text)) }
        for text in ["", "é", "ax", "aé!!", "b", "aéé x"] { #expect(try !matches(grammar, text)) }
        #expect(try matches("root ::= \"\"", ""))
        #expect(try matches("root ::= \"a\\x00b\"", "a\0b"))
    }

    @Test(
        "Text that is no UTF-8 belongs to no grammar",
        arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]])
    func invalidText(bytes: [UInt8]) throws {
        #expect(try !matches("root ::= .*", bytes.map { CChar(bitPattern: $0) }))
    }

    @Test("Tokens belong to no text")
    func tokens() {
        #expect(reason { _ = try matches("root ::= \"a\" <[5]>", "a") }.contains("tokens"))
    }

    @Test("Matching takes bounded time")
    func bounds() {
        let ambiguous = "root ::= \"a\" root \"b\" | \"a\" root \"c\" | \"d\""
        #expect(status { _ = try matches(ambiguous, String(repeating: "a", count: 100_000)) } == CL_LIMIT_EXCEEDED)
        let long = String(repeating: "a", count: 2 << 20)
        #expect(status { _ = try matches("root ::= \"a\"*", long) } == CL_LIMIT_EXCEEDED)
    }
}
