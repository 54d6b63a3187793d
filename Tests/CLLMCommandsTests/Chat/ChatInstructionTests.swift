import Testing

@testable import CLLMCommands

@Suite struct ChatInstructionTests {
    @Test(
        "a line is a turn or a command",
        arguments: [
            ("Hello", .say("Hello")), ("  ", .nothing), ("", .nothing), ("//etc is a folder", .say("/etc is a folder")),
            ("//", .say("/")), (" /reset", .say(" /reset")), ("/reset", .reset), ("/reset ", .reset),
            ("/stats", .stats),
            ("/help", .help), ("/quit", .quit), ("/save  my file.chat ", .save(path: "my file.chat")),
            ("/load a", .load(path: "a")), ("/system\tBe brief. ", .system("Be brief.")), ("/think on", .think(true)),
            ("/think off", .think(false)), ("/think", .mistake("/think needs 'on' or 'off'")),
            ("/think maybe", .mistake("/think needs 'on' or 'off'")),
            ("/save", .mistake("/save needs the name of a file")),
            ("/load ", .mistake("/load needs the name of a file")),
            ("/system", .mistake("/system needs a text")), ("/quit now", .mistake("/quit takes nothing behind it")),
        ] as [(String, ChatInstruction)])
    func line(text: String, expected: ChatInstruction) {
        #expect(ChatInstruction(text) == expected)
    }

    @Test(
        "an unknown command is explained",
        arguments: ["/rest", "/", "/etc/hosts", "/\u{1B}[2J", "/" + String(repeating: "x", count: 900)])
    func unknown(text: String) {
        guard case .mistake(let problem) = ChatInstruction(text) else {
            Issue.record("\(text) is taken for something")
            return
        }
        #expect(problem.contains("/help"))
        #expect(problem.contains("//"))
        #expect(!problem.contains("\u{1B}"))
        #expect(problem.utf8.count < 200)
        #expect(problem.contains("did you mean /reset?") == (text == "/rest"))
    }

    @Test("the help names every command", arguments: ["reset", "save", "load", "system", "think", "stats", "quit"])
    func help(name: String) {
        #expect(ChatInstruction.helpText.contains("/\(name)"))
    }
}
