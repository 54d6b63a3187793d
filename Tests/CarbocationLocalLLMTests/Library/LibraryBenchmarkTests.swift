import Foundation
import Testing

@testable import CarbocationLocalLLM

/// Shows how long refreshes of a large library take.
///
/// Figures of a debug build are several times those of a release.
@MainActor
@Suite struct LibraryBenchmarkTests {
    nonisolated private static let variable = "CARBOCATION_BENCHMARK_LIBRARY_MODELS"

    nonisolated private static var modelCount: Int? {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
    }

    @Test(
        "ML-14: cold, from the index of another process, and again in the same process",
        .enabled("set \(variable) to a number of models, such as 10000") { modelCount != nil })
    func refreshes() async throws {
        let count = try #require(Self.modelCount)
        let fixture = try LibraryFixture()
        for number in 0..<count { try fixture.place(name: "Model \(number)", file: "model-\(number)-Q4_0.gguf") }
        let cold = fixture.library()
        let coldTime = await ContinuousClock().measure { await cold.refresh() }
        let next = fixture.library()
        let nextTime = await ContinuousClock().measure { await next.refresh() }
        let againTime = await ContinuousClock().measure { await next.refresh() }
        #expect(cold.models.count == count)
        #expect(next.models == cold.models)
        print("\(count) models: cold \(coldTime), second process \(nextTime), same process \(againTime)")
    }
}
