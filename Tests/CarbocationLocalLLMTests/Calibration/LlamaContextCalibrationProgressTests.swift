import CarbocationLocalLLM
import Testing

@Suite("LlamaContextCalibrationProgress")
struct LlamaContextCalibrationProgressTests {
    @Test(
        "CA-8: the fraction",
        arguments: [
            (0, 0, nil), (3, 0, nil), (3, -1, nil), (0, 4, 0), (1, 4, 0.25), (4, 4, 1), (5, 4, 1), (-1, 4, 0),
            (.max, 1, 1), (.min, .max, 0),
        ] as [(Int, Int, Double?)])
    func fraction(completed: Int, total: Int, expected: Double?) {
        let progress = LlamaContextCalibrationProgress(
            phase: .probing, completedProbes: completed, totalProbes: total)
        #expect(progress.fractionCompleted == expected)
    }

    @Test("CA-8: a report knows nothing but its phase unless told")
    func defaults() {
        let progress = LlamaContextCalibrationProgress(phase: .loadingModel)
        #expect(progress.currentContext == nil)
        #expect(progress.lastSuccessfulContext == nil)
        #expect(progress.fractionCompleted == nil)
    }

    @Test(
        "CA-8: the names of the phases",
        arguments: [
            "loadingModel", "probing", "probeSucceeded", "probeFailed", "saving", "completed", "cancelled",
        ])
    func names(name: String) {
        #expect(LlamaContextCalibrationProgressPhase(rawValue: name)?.rawValue == name)
    }
}
