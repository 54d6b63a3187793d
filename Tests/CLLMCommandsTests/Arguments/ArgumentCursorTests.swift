import Testing

@testable import CLLMCommands

@Suite struct ArgumentCursorTests {
    typealias Token = ArgumentCursor.Token

    private static let tables: [(arguments: [String], tokens: [Token])] = [
        ([], []),
        (["run", "hi"], [.word("run"), .word("hi")]),
        (["--model", "m"], [.option(name: "model", value: nil), .word("m")]),
        (["--model=m"], [.option(name: "model", value: "m")]),
        (["--stop=a=b"], [.option(name: "stop", value: "a=b")]),
        (["--stop="], [.option(name: "stop", value: "")]),
        (["-"], [.word("-")]),
        ([""], [.word("")]),
        (["-x"], [.malformed("-x")]),
        (["---"], [.malformed("---")]),
        (["--5"], [.malformed("--5")]),
        (["--", "--model", "-x", "--"], [.word("--model"), .word("-x"), .word("--")]),
    ]

    @Test("tells options from words", arguments: tables)
    func tokens(arguments: [String], tokens: [Token]) {
        var cursor = ArgumentCursor(arguments)
        var read: [Token] = []
        while let token = cursor.next() { read.append(token) }
        #expect(read == tokens)
    }

    @Test(
        "takes as a value what is no option itself",
        arguments: [
            ("text", "text"), ("-1.5", "-1.5"), ("-", "-"), ("---", "---"), ("", ""),
            ("--", nil), ("--think", nil), ("--think=1", nil),
        ])
    func values(argument: String, value: String?) {
        var cursor = ArgumentCursor([argument])
        #expect(cursor.nextValue() == value)
        #expect((cursor.next() == nil) == (value != nil || argument == "--"))
    }

    @Test("has no value at the end")
    func end() {
        var cursor = ArgumentCursor([])
        #expect(cursor.nextValue() == nil)
    }
}
