import CarbocationLlamaRuntime
import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

@testable import CLLMCommands

@Suite(.timeLimit(.minutes(10))) struct CalibrateCommandTests {
    private let folder = ModelsFolder()

    private func session(_ calibration: FakeCalibration, isTerminal: Bool = false) -> CommandSession {
        var session = CommandSession(runtime: FakeRuntime(calibration: calibration))
        session.home = folder.home
        session.errors = MemoryWriter(isTerminal: isTerminal)
        return session
    }

    @Test("the result as text and as JSON")
    func result() async throws {
        let id = try await folder.install()
        let text = try await folder.succeed("calibrate", id)
        #expect(
            text.output == """
                maximum context: 4096 tokens
                tried: 4096 fits, 8192 does not fit
                time: 0.100 s

                """)
        #expect(text.errors.isEmpty)
        let json = try await folder.succeed("calibrate", "--json", id).json()
        #expect(
            json == [
                "maximumSupportedContext": 4096,
                "probedTiers": [["context": 4096, "succeeded": true], ["context": 8192, "succeeded": false]],
                "createdAt": "2027-01-15T08:00:00Z", "updatedAt": "2027-01-15T08:00:00Z", "seconds": 0.1,
            ])
    }

    @Test("CA-6: the options of the fingerprint reach the calibration")
    func options() async throws {
        let id = try await folder.install()
        let session = session(FakeCalibration())
        let options = ["--gpu-layers", "3", "--batch", "64", "--threads", "2", "--acceleration", "disabled"]
        #expect(await session.run(["calibrate", id] + options) == 0)
        let configuration = try #require(session.runtime.log.calibrations.first)
        #expect(configuration.gpuLayerCount == 3)
        #expect(configuration.batchSizeLimit == 64)
        #expect(configuration.threadCount == 2)
        #expect(configuration.accelerationPolicy == .disabled)
    }

    @Test("CA-8: a terminal shows how far it is, on a line that is gone at the end")
    func progress() async throws {
        let id = try await folder.install()
        let session = session(FakeCalibration(), isTerminal: true)
        #expect(await session.run("calibrate", id) == 0)
        #expect(session.errors.text.contains("[50%]  trying 8192 tokens  largest so far: 4096"))
        #expect(session.errors.text.hasSuffix("\r\u{1B}[K"))
    }

    @Test("CA-8: Ctrl-C ends it with 130 and prints no result")
    func interruption() async throws {
        let id = try await folder.install()
        let (starts, started) = AsyncStream<Void>.makeStream()
        let session = session(FakeCalibration(stalling: started))
        let run = Task { await session.run("calibrate", id) }
        for await _ in starts {
            session.interrupt(.interrupt)
            break
        }
        #expect(await run.value == 130)
        #expect(session.output.text.isEmpty)
        #expect(session.errors.text.isEmpty)
    }

    @Test("when nothing fits, that is told")
    func failure() async throws {
        let id = try await folder.install()
        let session = session(FakeCalibration(maximum: nil))
        #expect(await session.run("calibrate", id) == 1)
        #expect(session.output.text.isEmpty)
        #expect(session.errors.text.contains("no context fits"))
    }

    @Test("only installed models are calibrated")
    func others() async throws {
        let path = try folder.write(GGUFBuilder.small().bytes(), to: "m.gguf")
        let file = await folder.run("calibrate", path)
        #expect(file.code == 1)
        #expect(file.errors.contains("models import"))
        let system = await folder.run("calibrate", "system.apple-intelligence")
        #expect(system.code == 1)
        #expect(system.errors.contains("nothing to calibrate"))
    }
}
