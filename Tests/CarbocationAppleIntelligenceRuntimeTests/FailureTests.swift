import CarbocationLocalLLM
import Foundation
import FoundationModels
import TestSupport
import Testing

@testable import AppleIntelligenceWithStubs

@Suite("Failures of the system's model", .timeLimit(.minutes(10)))
struct FailureTests {
    private let engine = AppleIntelligenceEngine.quiet

    private struct Strange: Error, CustomNSError {
        static var errorDomain: String { "Strange" }
        var errorCode: Int { 1026 }
    }

    static let cases: [(LanguageModelSession.GenerationError, String)] = [
        (.assetsUnavailable(StubScript.context()), "The model of Apple Intelligence is not available: details"),
        (
            .guardrailViolation(StubScript.context()),
            "Apple Intelligence blocked the prompt or the answer as unsafe: details"
        ),
        (
            .unsupportedGuide(StubScript.context()),
            "Apple Intelligence does not support the schema of the answer: details"
        ),
        (
            .unsupportedLanguageOrLocale(StubScript.context("")),
            "Apple Intelligence does not support the language of the prompt."
        ),
        (
            .decodingFailure(StubScript.context()),
            "The answer of Apple Intelligence does not follow its schema: details"
        ),
        (.rateLimited(StubScript.context()), "Apple Intelligence was asked too often, try again later: details"),
        (
            .concurrentRequests(StubScript.context()),
            "Apple Intelligence is still answering another request: details"
        ),
        (
            .refusal(LanguageModelSession.GenerationError.Refusal(transcriptEntries: []), StubScript.context()),
            "Apple Intelligence refused to answer: details"
        ),
    ]

    @Test("AI-7: the framework's errors", arguments: cases)
    func known(error: LanguageModelSession.GenerationError, text: String) async {
        let script = StubScript([[.snapshot("Hel"), .fail(error)]])
        let log = await script.run { await engine.log("Hi") }
        #expect(log.error as? AppleIntelligenceError == .generationFailed(text))
        #expect(log.error?.localizedDescription == text)
        #expect(log.lines.last == "stats 1 1 failed unavailable")
    }

    @Test("AI-7: a context that is full while the model answers")
    func overflow() async {
        let script = StubScript([
            [
                .snapshot("Hello"),
                .fail(LanguageModelSession.GenerationError.exceededContextWindowSize(StubScript.context())),
            ]
        ])
        let log = await script.run { await engine.log("Hi") }
        let expected = LLMEngineError.contextBudgetExceeded(contextSize: 4096, promptTokens: 3, reserve: 0)
        #expect(log.error as? LLMEngineError == expected)
    }

    @Test("AI-7: errors of later versions of the framework")
    func later() async throws {
        let full = LanguageModelError.contextSizeExceeded(LanguageModelError.ContextSizeExceeded(contextSize: 4096))
        let log = await StubScript([[.snapshot("Hello"), .fail(full)]]).run { await engine.log("Hi") }
        let expected = LLMEngineError.contextBudgetExceeded(contextSize: 4096, promptTokens: 3, reserve: 0)
        #expect(log.error as? LLMEngineError == expected)
        let slow = await StubScript([[.fail(LanguageModelError.timeout)]]).run { await engine.log("Hi") }
        let text = try #require(slow.error as? AppleIntelligenceError).localizedDescription
        #expect(text.contains("The model failed") && text.contains("LanguageModelError"))
    }

    @Test("AI-7: an unknown error keeps its type, domain and code")
    func unknown() async throws {
        let strange = await StubScript([[.fail(Strange())]]).run { await engine.log("Hi") }
        let text = try #require(strange.error as? AppleIntelligenceError).localizedDescription
        #expect(text.contains("FailureTests") && text.contains("Strange") && text.contains("Strange 1026"))
        let later = await StubScript([[.fail(LanguageModelSession.GenerationError.later)]]).run {
            await engine.log("Hi")
        }
        #expect(try #require(later.error as? AppleIntelligenceError).localizedDescription.contains("GenerationError"))
    }

    @Test("AI-7: the error of a tool is taken out of its wrapping")
    func wrapped() throws {
        let tool = SystemTool(definition: LLMToolDefinition(name: "go", description: "Goes.")) { _ in "" }
        let framework = try FrameworkTool(tool)
        func failure(_ error: any Error) -> any Error {
            FrameworkFailure.failure(LanguageModelSession.ToolCallError(tool: framework, underlyingError: error))
        }
        #expect(failure(CancellationError()) is CancellationError)
        #expect(failure(LLMEngineError.noModelLoaded) as? LLMEngineError == .noModelLoaded)
        #expect(failure(SystemModelFailure.toolRoundsExhausted) as? SystemModelFailure == .toolRoundsExhausted)
        #expect(
            failure(LanguageModelSession.GenerationError.rateLimited(StubScript.context(""))).localizedDescription
                == "The tool go could not be called. Apple Intelligence was asked too often, try again later.")
    }

    @Test("ER-2: what does not fit is refused before the system is asked, as preflight says")
    func budget() async throws {
        let script = StubScript([], contextSize: 10)
        let long = String(repeating: "abc", count: 10)
        try await script.run {
            let log = await engine.log(long)
            let expected = LLMEngineError.contextBudgetExceeded(contextSize: 10, promptTokens: 10, reserve: 0)
            #expect(log.error as? LLMEngineError == expected)
            #expect(log.lines == ["sent unknown", "stats 10 0 context-full unavailable"])
            let preflight = try await engine.preflight(system: "", prompt: long)
            #expect(!preflight.canGenerate)
            let reserving = AppleIntelligenceEngine(
                configuration: AppleIntelligenceConfiguration(promptReserveTokens: 9, heartbeatInterval: 0))
            let short = await reserving.log("abc")
            let insufficient = LLMEngineError.insufficientGenerationBudget(contextSize: 10, promptTokens: 1, reserve: 9)
            #expect(short.error as? LLMEngineError == insufficient)
        }
        #expect(script.sessionCount == 0)
    }

    @Test("MS-3, GO-4: requests that cannot be used")
    func invalid() async {
        let script = StubScript([])
        await script.run {
            let none = await EventLog.of(engine.stream(LLMGenerationRequest(messages: [])))
            #expect(none.error as? LLMEngineError == .invalidRequest("the conversation has no messages"))
            let options = await engine.log("Hi", Options(temperature: .nan))
            #expect(options.error as? LLMEngineError == .invalidOptions("temperature must be a finite number"))
        }
    }
}
