#if os(Linux)
    import CarbocationLocalLLM
    import Foundation
    import Testing

    @testable import CarbocationLlamaRuntime

    /// Compares what contexts are estimated to take with what a process really takes that fills them.
    @Suite(.needsRuntime, .serialized) struct ContextMemoryBenchmarkTests {
        private static let variable = "CARBOCATION_BENCHMARK_CALIBRATION"

        private static var model: URL? {
            let environment = ProcessInfo.processInfo.environment
            guard environment[variable] != nil, let path = environment["LLAMA_TEST_MODEL_PATH"] else { return nil }
            return URL(fileURLWithPath: path)
        }

        @Test(
            "CA-3: the estimate is within 10% of the peak",
            .enabled("set \(variable) to 1, LLAMA_TEST_MODEL_PATH to a model, and run this suite alone") {
                model != nil
            },
            arguments: [512, 2048, 8192])
        func peak(context: Int) async throws {
            let url = try #require(Self.model)
            // Mapped pages would be counted on top of the layout that is computed with.
            let configuration = LlamaEngineConfiguration(gpuLayerCount: 0, useMemoryMap: false)
            let report = try #require(
                try await LlamaEngine.contextMemory(modelAt: url, contexts: [context], configuration: configuration)
                    .first)
            let estimate = report.total.modelBytes + report.total.contextBytes + report.total.computeBytes
            let before = try Self.resetPeak()
            let engine = LlamaEngine(configuration: configuration)
            try await engine.load(modelAt: url, requestedContext: context)
            let prompt = String(repeating: "word ", count: context - 80)
            let result = try await engine.generatePhased(
                system: "", prompt: prompt, options: GenerationOptions(temperature: 0, maxOutputTokens: 8))
            #expect(result.promptTokens > context - 80)
            let peak = try Self.kilobytes("VmHWM") - before
            await engine.unload()
            let ratio = Double(estimate) / Double(peak << 10)
            print("context \(context): estimated \(estimate >> 20) MiB, peak \(peak >> 10) MiB, ratio \(ratio)")
            #expect(abs(ratio - 1) < 0.1)
        }

        /// Lets the peak begin with what the process holds now, which is returned in KiB.
        private static func resetPeak() throws -> Int {
            MemoryGrowth.trim()
            try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
            return try kilobytes("VmRSS")
        }

        private static func kilobytes(_ name: String) throws -> Int {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
            return try #require(line.split { !$0.isNumber }.first.flatMap { Int($0) })
        }
    }
#endif
