import CarbocationLocalLLM
import Foundation
import Testing

@testable import CLLMCommands

@Suite struct CLLMTests {
    @Test(
        "wrong usage exits 2 with one line on stderr and nothing on stdout",
        arguments: [
            [], ["models"], ["models", "lits"], ["chat", "hello"],
            ["chat", "--format", "x"],
            ["preflight", "--seed", "x"], ["plan", ""], ["plan", "a", "b"], ["calibrate"],
            ["calibrate", "a", "--batch=0"],
            ["run", "--json-schema", "{}", "--grammar", "g", "hi"],
            ["run", "--balanced-json=yes"], ["run", "--thinking-budget=-5"], ["run", "--logprobs", "21"],
            ["run", "--draft-model="], ["run", "--tools", "calculator", "hi"], ["run", "--tools=", "hi"],
            ["run", "--tools", "calculate,,convert_units", "hi"], ["run", "--tools", "all", "--tool-choice=", "hi"],
            ["run", "--tools", "calculate", "--tool-choice", "convert_units", "hi"],
            ["run", "--tools", "calculate", "--max-tool-rounds=-1", "hi"],
            ["run", "--tools", "all", "--grammar", "g", "hi"], ["run", "--tools", "all", "--json-schema", "{}", "hi"],
            ["run", "--tools", "all", "--balanced-json", "hi"],
            ["run", "--tool-choice", "required", "hi"], ["run", "--tool-choice", "calculate", "hi"],
            ["tool"], ["tool", ""], ["tool", "calc", "{}"], ["tool", "calculate", "{}", "{}"],
            ["tool", "calculate", "--tools", "all"],
            ["run", "--acceleration", "fast"], ["debug"], ["debug", "parse", "--chunk", "x"], ["debug", "render"],
            ["debug", "render", "--messages", "m", "--template", "t", "--model", "g"],
            ["run", "--temperature", "nan"], ["run", "--temperature", "warm"], ["run", "--top-k", "1.5"],
            ["run", "--seed", "4294967296"], ["run", "--repetition-penalty", "0"], ["run", "--top-p=-1"],
            ["run", "--min-p=-1"], ["run", "--reasoning-effort", "hard"], ["run", "--format", "xml"],
            ["run", "--context", "0"], ["run", "--threads", "0"], ["run", "--batch", "0"],
            ["run", "--gpu-layers", "x"],
            ["run", "--max-tokens", "many"], ["run", "--model="], ["run", "--grammar="],
            ["run", "x", "--messages", "m"],
            ["smoke", ""], ["smoke", "a", "b"], ["bench", "--repetitions", "0"], ["bench", "--generate-tokens", "0"],
            ["bench", "--prompt-tokens", "0"], ["bench", "--prompt-tokens", "9999999999"], ["bench", "--top-k", "1"],
            ["models", "list", "x"], ["models", "show"], ["models", "show", ""], ["models", "import"],
            ["models", "import", "a.gguf", "b.gguf", "--name", "n"],
            ["models", "import", "a.gguf", "b.gguf", "mmproj.gguf"], ["models", "resolve"],
            ["models", "resolve", "nothing"], ["models", "resolve", "a/b", "--endpoint", "ftp://x"],
            ["models", "pull"], ["models", "pull", "nothing"], ["models", "pull", "https://host/page.html"],
            ["models", "pull", "a/b", "--sha256", "12"], ["models", "pull", "a/b", "--connections", "0"],
            ["models", "pull", "a/b", "--chunk-size", "x"], ["models", "pull", "a/b", "--retries", "-1"],
            ["models", "pull", "a/b", "--retries=-1"], ["models", "discard"], ["models", "remove"],
            ["models", "select"], ["models", "selected", "x"], ["models", "catalog", "--memory", "much"],
        ])
    func usage(arguments: [String]) async {
        let session = CommandSession()
        #expect(await session.run(arguments) == 2)
        #expect(session.output.text.isEmpty)
        #expect(session.errors.lines.count == 1)
        #expect(session.errors.text.hasPrefix("cllm: "))
        #expect(session.errors.text.hasSuffix("--help'\n"))
        #expect(session.runtime.log.loads.isEmpty)
    }

    @Test("--version prints the versions")
    func version() async {
        let session = CommandSession()
        #expect(await session.run("--version") == 0)
        #expect(session.output.text == "cllm 0.1.0\nllama.cpp 1.2 (commit abc)\nggml 3.4\n")
    }

    @Test("SC-10: --version says when llama.cpp is not linked")
    func versionWithoutRuntime() async {
        let session = CommandSession(runtime: FakeRuntime(versions: nil))
        #expect(await session.run("--quiet", "--version") == 0)
        #expect(session.output.lines.first == "cllm 0.1.0")
        #expect(session.output.lines.last?.hasPrefix("llama.cpp: not linked") == true)
    }

    @Test("a failure exits 1 with its reason in one line")
    func failure() async throws {
        let model = try TemporaryFile.model()
        let runtime = FakeRuntime(loadError: LLMEngineError.modelLoadFailed("tensor 'a'\nis\r\nbroken"))
        let session = CommandSession(runtime: runtime)
        #expect(await session.run("run", "--model", model.path, "hi") == 1)
        #expect(session.output.text.isEmpty)
        #expect(session.errors.text == "cllm: The model could not be loaded: tensor 'a' is broken.\n")
    }

    @Test("a closed output ends the program quietly, another failure of it does not")
    func closedOutput() async {
        let session = CommandSession()
        #expect(await session.run(["--help"], output: MemoryWriter(failure: OutputClosed())) == 0)
        #expect(session.errors.text.isEmpty)
        let full = CommandFailure(.outputFailed, "The output cannot be written: No space left on device.")
        #expect(await session.run(["--version"], output: MemoryWriter(failure: full)) == 1)
        #expect(session.errors.text == "cllm: The output cannot be written: No space left on device.\n")
    }

    @Test("a failing stderr changes nothing")
    func closedErrors() async {
        var session = CommandSession()
        session.errors = MemoryWriter(failure: OutputClosed())
        #expect(await session.run("run", "--bogus") == 2)
    }

    @Test("a cancellation without a signal is a failure")
    func cancellation() async throws {
        let model = try TemporaryFile.model()
        let session = CommandSession(runtime: FakeRuntime(loadError: CancellationError()))
        #expect(await session.run("run", "--model", model.path, "hi") == 1)
        #expect(session.errors.text == "cllm: interrupted\n")
    }

    @Test("a signal that comes too late changes nothing")
    func lateSignal() async {
        let session = CommandSession()
        session.interrupt(.interrupt)
        #expect(await session.run("--version") == 0)
    }
}
