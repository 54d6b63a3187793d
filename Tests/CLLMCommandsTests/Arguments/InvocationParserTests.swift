import Testing

@testable import CLLMCommands

@Suite struct InvocationParserTests {
    private static func parse(_ arguments: [String], variables: [String: String] = [:]) throws -> Invocation {
        var parser = InvocationParser(arguments, variables: variables)
        return try parser.parse()
    }

    private static func globals(_ arguments: [String], variables: [String: String] = [:]) throws -> GlobalOptions? {
        guard case .command(_, let globals) = try parse(arguments, variables: variables) else { return nil }
        return globals
    }

    @Test(
        "finds commands by their words",
        arguments: [
            (["run", "hi"], "RunCommand"), (["smoke"], "SmokeCommand"), (["bench"], "BenchCommand"),
            (["debug", "render", "--messages", "m"], "DebugRenderCommand"),
            (["debug", "tokenize", "x"], "DebugTokenizeCommand"),
            (["models", "import", "a", "b", "c"], "ModelsImportCommand"),
            (["--quiet", "debug", "--managed-only", "tokenize", "--verbose=", "x"], nil),
            (["--quiet", "debug", "--managed-only", "tokenize", "x"], "DebugTokenizeCommand"),
            (["--", "run", "--model"], "RunCommand"),
        ])
    func commands(arguments: [String], type: String?) throws {
        guard let type else {
            #expect(throws: UsageError.self) { try Self.parse(arguments) }
            return
        }
        guard case .command(let command, _) = try Self.parse(arguments) else {
            Issue.record("no command")
            return
        }
        #expect("\(Swift.type(of: command))" == type)
    }

    @Test(
        "reads global options before and after the command",
        arguments: [
            ["--models-dir", "/m", "--managed-only", "--quiet", "run", "hi"],
            ["run", "hi", "--quiet", "--managed-only", "--models-dir=/m"],
            ["--models-dir=/n", "--quiet", "run", "--models-dir", "/m", "hi", "--managed-only"],
        ])
    func globalOptions(arguments: [String]) throws {
        let globals = try #require(try Self.globals(arguments))
        #expect(globals.modelsDirectory == "/m")
        #expect(globals.managedOnly)
        #expect(globals.verbosity == .quiet)
    }

    @Test("takes the models folder from the environment unless it is given")
    func modelsDirectory() throws {
        let variables = ["CLLM_MODELS_DIR": "/env"]
        #expect(try Self.globals(["run"], variables: variables)?.modelsDirectory == "/env")
        #expect(try Self.globals(["run", "--models-dir", "/m"], variables: variables)?.modelsDirectory == "/m")
        #expect(try Self.globals(["run"], variables: ["CLLM_MODELS_DIR": ""])?.modelsDirectory == nil)
        #expect(try Self.globals(["run"])?.modelsDirectory == nil)
        #expect(try Self.globals(["run"])?.verbosity == .normal)
        #expect(try Self.globals(["--verbose", "run"])?.verbosity == .verbose)
    }

    private static let mistakes: [(arguments: [String], message: String)] = [
        (
            [],
            "a command is missing: one of run, chat, preflight, smoke, bench, plan, calibrate, tool, models, debug; see 'cllm --help'"
        ),
        (
            ["debug"],
            "a command is missing: one of render, parse, tokenize, grammar, json-slice; see 'cllm debug --help'"
        ),
        (["talk"], "unknown command 'talk'; see 'cllm --help'"),
        (["rnu"], "unknown command 'rnu'; see 'cllm --help'"),
        (["runn"], "unknown command 'runn', did you mean 'run'?; see 'cllm --help'"),
        (["debug", "slice"], "unknown command 'slice'; see 'cllm debug --help'"),
        (["debug", "rendre"], "unknown command 'rendre', did you mean 'render'?; see 'cllm debug --help'"),
        (["--model", "m", "run"], "unknown option --model; see 'cllm --help'"),
        (["--quite", "run"], "unknown option --quite, did you mean --quiet?; see 'cllm --help'"),
        (["run", "--modle", "m"], "unknown option --modle, did you mean --model?; see 'cllm run --help'"),
        (["run", "--version"], "unknown option --version; see 'cllm run --help'"),
        (["run", "-x"], "unknown option -x (a text that starts with a dash goes after --); see 'cllm run --help'"),
        (["-h"], "unknown option -h (a text that starts with a dash goes after --); see 'cllm --help'"),
        (["run", "--think=yes"], "--think takes no value; see 'cllm run --help'"),
        (["run", "a", "b"], "unexpected argument 'b' (quote a text of several words); see 'cllm run --help'"),
        (["bench", "a"], "unexpected argument 'a'; see 'cllm bench --help'"),
        (["models", "list", "a"], "unexpected argument 'a'; see 'cllm models list --help'"),
        (["models", "show"], "MODEL is missing; see 'cllm models show --help'"),
        (["models", "show", ""], "MODEL may not be empty; see 'cllm models show --help'"),
        (["models", "import", "a", ""], "FILE may not be empty; see 'cllm models import --help'"),
        (["--quiet", "run", "--verbose"], "--quiet and --verbose exclude each other; see 'cllm run --help'"),
        (["run", "--models-dir="], "--models-dir needs a value that is not empty; see 'cllm run --help'"),
        (
            ["run", "--seed"],
            "--seed needs a value (write --seed N, or --seed=N for one with dashes); see 'cllm run --help'"
        ),
        (
            ["run", "--seed", "--think"],
            "--seed needs a value (write --seed N, or --seed=N for one with dashes); see 'cllm run --help'"
        ),
        (
            ["--models-dir"],
            "--models-dir needs a value (write --models-dir DIR, or --models-dir=DIR for one with dashes); "
                + "see 'cllm --help'"
        ),
    ]

    @Test("says what is wrong and where help is", arguments: mistakes)
    func refusal(arguments: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try Self.parse(arguments) }
        #expect(error?.message == message)
    }

    @Test("the first of several mistakes is told, and help before it wins")
    func order() throws {
        let error = #expect(throws: UsageError.self) { try Self.parse(["run", "--bogus", "--help"]) }
        #expect(error?.message.hasPrefix("unknown option --bogus") == true)
        guard case .help = try Self.parse(["run", "--help", "--bogus"]) else {
            Issue.record("no help")
            return
        }
    }
}
