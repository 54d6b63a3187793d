import CarbocationLocalLLM
import CarbocationLocalLLMTools
import Foundation

@testable import CLLMCommands

/// Runs command lines in this process against fakes.
struct CommandSession: Sendable {
    var runtime = FakeRuntime()
    var input: any ByteReading = MemoryReader("")
    var output = MemoryWriter()
    var errors = MemoryWriter()
    var terminal: ScriptedTerminal?
    var webpageFetcher: any LLMWebpageFetching = FakeWebpageFetcher(html: "")
    var variables: [String: String] = [:]
    /// Stands in for the user's own folders, so that no model of this computer is found.
    var home = TemporaryFile.newFolder()
    /// The time of each look at the clock is this much later than the one before.
    var tick: Duration = .milliseconds(100)
    /// How much longer that becomes with each look.
    var growth: Duration = .zero

    private let signals = AsyncStream<Interruption>.makeStream()

    init(engine: any LLMEngine = FakeEngine.answering(["Hello", " there"])) {
        runtime = FakeRuntime(engine: engine)
    }

    init(runtime: FakeRuntime) {
        self.runtime = runtime
    }

    /// Delivers a signal.
    func interrupt(_ signal: Interruption) {
        signals.continuation.yield(signal)
    }

    /// - Returns: the exit code.
    func run(_ arguments: String...) async -> Int32 {
        await run(arguments)
    }

    func run(
        _ arguments: [String], output: (any ByteWriting)? = nil, runtime: (any ModelRuntime)? = nil
    ) async -> Int32 {
        let time = Locked((now: Duration.zero, tick: tick))
        let growth = growth
        let folders = ["HOME": home.path, "CLLM_MODELS_DIR": home.appendingPathComponent("Models").path]
        let environment = CommandEnvironment(
            variables: folders.merging(variables) { $1 }, input: input, output: output ?? self.output, errors: errors,
            terminal: terminal, interruptions: signals.stream, runtime: runtime ?? self.runtime,
            webpageFetcher: webpageFetcher,
            now: {
                time.withLock {
                    $0.now += $0.tick
                    $0.tick += growth
                    return $0.now
                }
            },
            peakMemory: { 3 << 20 }, physicalMemory: 16 << 30)
        return await CLLM.run(arguments: arguments, environment: environment).rawValue
    }

    /// The output as one JSON document, or as one on each line.
    func json() throws -> LLMJSONValue { try LLMJSONValue(jsonString: output.text) }
    func jsonLines() throws -> [LLMJSONValue] { try output.lines.map { try LLMJSONValue(jsonString: $0) } }
}
