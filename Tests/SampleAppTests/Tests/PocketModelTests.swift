import CarbocationLocalLLM
import CarbocationLocalLLMRuntime
import Foundation
import Testing

@MainActor
@Suite("Sample app: with a real model", .needsRuntime, .timeLimit(.minutes(10)))
struct PocketModelTests {
    private let greedy = GenerationOptions(temperature: 0, maxOutputTokens: 80)

    @Test("the selected model is loaded and answers, thinks and reads values")
    func loaded() async throws {
        let desk = try TestDesk()
        let model = try await desk.selectPocketModel()
        let engine = LocalLLMEngine(configuration: .tiny)
        let loader = ModelLoader(settings: desk.settings, shelf: desk.shelf, engine: engine)
        let info = try await loader.load()
        #expect(info.selection == .installed(model.id) && info.supportsGrammar && info.contextSize == 2048)
        let assistant = Assistant(engine: engine)
        var options = Assistant.thoughtful(budget: 64)
        options.temperature = 0
        let answer = assistant.ask("Count from 3 to 9.", options: options)
        await assistant.finished()
        #expect(answer.text == "3 4 5 6 7 8 9" && !answer.thinking.isEmpty)
        let reader = ContactReader(engine: engine)
        let bob = Contact(name: "Bob", age: 42)
        #expect(try await reader.contact(in: "Bob is 42 years old.") == bob)
        #expect(try await reader.contact(in: "Bob is 42 years old.", supportsGrammar: info.supportsGrammar) == bob)
        await engine.unload()
    }

    @Test("a chat remembers, calculates, branches, and goes on after a restart")
    func chat() async throws {
        let desk = try TestDesk()
        _ = try await desk.selectPocketModel()
        let plan = try #require(
            await LocalLLMEngine.loadPlan(from: desk.settings.selectedModel, in: desk.shelf.library))
        let file = desk.file("chat.session")
        let open = { try await Chat.open(plan, from: desk.shelf, saved: file, configuration: .tiny) }
        let chat = try await open()
        try await chat.say("My name is Ada.", options: greedy, into: Answer())
        let branch = try await chat.branch()
        let sum = try await chat.calculate("What is 17 plus 25?")
        #expect(sum.toolCalls.map(\.name) == ["calculate"] && sum.finalText.contains("42"))
        let answer = Answer()
        try await branch.say("What is my name?", options: greedy, into: answer)
        #expect(answer.text == "Your name is Ada.")
        try await branch.save(to: file)
        let restored = try await open()
        #expect(await restored.messages == branch.messages)
        let long = String(repeating: "word ", count: 2000)
        await #expect(throws: Chat.TooLong.self) { try await restored.say(long, options: greedy, into: Answer()) }
        try Data("no session".utf8).write(to: file)
        #expect(await (try open()).messages.map(\.role) == [.system])
    }

    @Test("a test of the context moves a bar and bounds the next plan")
    func contextTest() async throws {
        let desk = try TestDesk()
        let model = try await desk.selectPocketModel()
        let test = ContextTest()
        let maximum = try await test.run(on: model, of: desk.shelf, store: desk.calibrations)
        #expect(maximum == 2048)
        #expect(test.fraction == 1)
        let plan = await LocalLLMEngine.loadPlan(
            from: desk.settings.selectedModel, in: desk.shelf.library, defaults: desk.settings.defaults,
            calibrationStore: desk.calibrations)
        #expect(plan?.requestedContext == 2048)
    }
}
