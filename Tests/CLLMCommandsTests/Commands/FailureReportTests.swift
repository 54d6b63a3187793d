import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import Foundation
import Testing

@testable import CLLMCommands

@Suite struct FailureReportTests {
    private static let engineErrors: [(LLMEngineError, String)] = [
        (.noModelLoaded, "noModelLoaded"), (.modelLoadFailed(""), "modelLoadFailed"),
        (.contextInitFailed(""), "contextInitFailed"), (.tokenizationFailed, "tokenizationFailed"),
        (
            .insufficientGenerationBudget(contextSize: 1, promptTokens: 1, reserve: 1), "insufficientGenerationBudget"
        ),
        (.contextBudgetExceeded(contextSize: 1, promptTokens: 1, reserve: 1), "contextBudgetExceeded"),
        (.decodeFailed(""), "decodeFailed"), (.samplerInitFailed(""), "samplerInitFailed"),
        (.grammarParseFailed(""), "grammarParseFailed"), (.chatTemplateUnavailable(""), "chatTemplateUnavailable"),
        (.structuredOutputPhaseFailed(""), "structuredOutputPhaseFailed"),
        (.runtimeUnavailable(""), "runtimeUnavailable"), (.invalidOptions(""), "invalidOptions"),
        (.invalidRequest(""), "invalidRequest"), (.unsupportedSchema(""), "unsupportedSchema"),
        (.structuredOutputInvalid(""), "structuredOutputInvalid"),
    ]

    @Test("ER-1: an engine's error is named by its case and told by its description", arguments: engineErrors)
    func named(error: LLMEngineError, code: String) {
        let report = FailureReport(error)
        #expect(report.code == code)
        #expect(report.message == error.errorDescription)
    }

    @Test(
        "a request with tools that is refused is named by its case",
        arguments: [
            (.duplicateToolName("a"), "duplicateToolName"), (.invalidDefinition("No name."), "invalidDefinition"),
            (.invalidRequest("No tools."), "invalidRequest"),
            (.unsupportedToolMode("No tools here."), "unsupportedToolMode"),
        ] as [(LLMToolError, String)])
    func tools(error: LLMToolError, code: String) {
        let report = FailureReport(error)
        #expect(report.code == code)
        #expect(report.message == error.errorDescription)
    }

    @Test("own failures, broken JSON, cancellation and strangers have codes too")
    func others() {
        let own = FailureReport(CommandFailure(.modelNotFound, "No model.\nSorry."))
        #expect(own.code == "modelNotFound")
        #expect(own.message == "No model. Sorry.")
        let context = DecodingError.Context(codingPath: [], debugDescription: "Invalid JSON at byte 3.")
        #expect(FailureReport(DecodingError.dataCorrupted(context)).message == "Invalid JSON at byte 3.")
        #expect(FailureReport(CancellationError()).code == "cancelled")
        #expect(FailureReport(CocoaError(.fileNoSuchFile)).code == "failed")
    }

    @Test(
        "errors of sessions and of the facade are named by their case",
        arguments: [
            (LLMSessionError.unloaded, "unloaded"), (LLMSessionError.saveUnsupported, "saveUnsupported"),
            (LLMSessionError.modelMismatch("x"), "modelMismatch"),
            (LLMSessionError.damagedSnapshot("x"), "damagedSnapshot"),
            (LocalLLMEngineError.invalidSelection("x"), "invalidSelection"),
            (LocalLLMEngineError.installedModelNotFound(UUID()), "installedModelNotFound"),
            (LocalLLMEngineError.noSelectionLoaded, "noSelectionLoaded"),
            (LocalLLMEngineError.unavailableSystemModel(.appleIntelligence), "unavailableSystemModel"),
            (LocalLLMEngineError.systemModelGenerationFailed("x"), "systemModelGenerationFailed"),
        ] as [(any Error, String)])
    func facadeErrors(error: any Error, code: String) {
        #expect(FailureReport(error).code == code)
        #expect(FailureReport(error).message == error.localizedDescription)
    }
}
