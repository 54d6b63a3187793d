import Testing

@testable import CLLMCommands

@Suite struct HelpPageTests {
    private static let pages: [(arguments: [String], usage: String)] = [
        (["--help"], "Usage: cllm <command> [options] [arguments]"),
        (["debug", "--help"], "Usage: cllm debug <command> [options] [arguments]"),
        (["run", "--help"], "Usage: cllm run [options] [PROMPT]"),
        (["run", "hi", "--think", "--help"], "Usage: cllm run [options] [PROMPT]"),
        (["smoke", "--help"], "Usage: cllm smoke [options] [MODEL]"),
        (["bench", "--help"], "Usage: cllm bench [options]"),
        (["debug", "render", "--help"], "Usage: cllm debug render [options]"),
        (["debug", "tokenize", "--help"], "Usage: cllm debug tokenize [options] [TEXT]"),
        (["tool", "--help"], "Usage: cllm tool [options] NAME [JSON]"),
        (["models", "--help"], "Usage: cllm models <command> [options] [arguments]"),
        (["models", "list", "--help"], "Usage: cllm models list [options]"),
        (["models", "show", "--help"], "Usage: cllm models show [options] MODEL"),
        (["models", "import", "--help"], "Usage: cllm models import [options] FILE…"),
        (["--quiet", "--help"], "Usage: cllm <command> [options] [arguments]"),
    ]

    @Test("--help on every level prints to stdout and exits 0", arguments: pages)
    func levels(arguments: [String], usage: String) async {
        let session = CommandSession()
        #expect(await session.run(arguments) == 0)
        #expect(session.output.lines.first == usage)
        #expect(session.output.text.hasSuffix("\n"))
        #expect(session.errors.text.isEmpty)
    }

    @Test("names exactly the commands and options that exist")
    func contents() async {
        let root = HelpPage.text(for: .root)
        let names = ["run", "chat", "preflight", "smoke", "bench", "plan", "calibrate", "tool", "models", "debug"]
        for name in names { #expect(root.contains("\n  \(name) ")) }
        #expect(CommandGroup.root.nodes.map(\.name) == names)
        #expect(root.contains("--version"))
        let run = HelpPage.text(for: RunCommand.specification)
        for option in RunCommand.specification.options + GlobalOptions.specifications {
            #expect(run.contains("  \(option.spelling) "))
            #expect(!option.help.isEmpty)
        }
        #expect(!run.contains("--version"))
    }

    @Test("a literal --help after -- or as a value is no request for help")
    func literal() async throws {
        let model = try TemporaryFile.model()
        let session = CommandSession()
        #expect(await session.run("run", "--model", model.path, "--", "--help") == 0)
        #expect(session.output.text == "Hello there\n")
        #expect(await session.run("run", "--stop=--help", "--model", model.path, "x") == 0)
    }

    @Test("columns line up")
    func columns() throws {
        let page = HelpPage.text(for: DebugRenderCommand.specification)
        let line = try #require(page.split(separator: "\n").first { $0.contains("--think ") })
        #expect(line == "  --think                 Let the model think first.")
    }
}
