import CarbocationLocalLLM
import Foundation
import Testing

@testable import CLLMCommands

@Suite(.timeLimit(.minutes(10))) struct RunClosedPipeTests {
    private let model: TemporaryFile

    init() throws {
        model = try TemporaryFile.model()
        signal(SIGPIPE, SIG_IGN)
    }

    /// An engine that never stops by itself, and tells when it was stopped.
    private static func chatterbox(_ stopped: AsyncStream<Void>.Continuation) -> FakeEngine {
        FakeEngine { _, emit in
            defer { stopped.yield() }
            while true {
                try Task.checkCancellation()
                emit(.contentDelta(phase: .final, text: "word ", bytesSoFar: 0))
                await Task.yield()
            }
        }
    }

    @Test("EV-3: a reader that has enough ends the generation quietly", arguments: [[], ["--format", "jsonl"]])
    func reader(options: [String]) async throws {
        let (stops, stopped) = AsyncStream<Void>.makeStream()
        let session = CommandSession(engine: Self.chatterbox(stopped))
        let pipe = Pipe()
        let writer = DescriptorWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let run = Task { [model] in
            await session.run(["run", "--model", model.path, "hi"] + options, output: writer)
        }
        let reading = pipe.fileHandleForReading
        let start = try await onDedicatedThread {
            defer { try? reading.close() }
            return try Descriptor(number: reading.fileDescriptor).read(upTo: 10)
        }
        #expect(!start.isEmpty)
        #expect(await run.value == 0)
        #expect(session.errors.text.isEmpty)
        #expect(session.runtime.log.unloads == 1)
        for await _ in stops { break }
    }

    @Test("a pipe that was closed before the start is no failure either")
    func closedFromTheStart() async throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let writer = DescriptorWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let session = CommandSession()
        #expect(await session.run(["run", "--model", model.path, "hi"], output: writer) == 0)
        #expect(session.errors.text.isEmpty)
    }
}
