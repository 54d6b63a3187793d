import CarbocationLocalLLM
import Testing

@Suite("LLMGenerationControl")
struct LLMGenerationControlTests {
    @Test("RS-5: while nothing runs, requests have no effect")
    func idle() {
        let control = LLMGenerationControl()
        #expect(!control.requestThinkingTermination(message: "Stop."))
        #expect(control.thinkingTerminationRequestCount == 0)
        let generation = control.beginGeneration()
        #expect(generation.takeTerminationRequest() == nil)
    }

    @Test("RS-5: a running generation takes exactly one pending request")
    func takesOnce() {
        let control = LLMGenerationControl()
        let generation = control.beginGeneration()
        #expect(control.requestThinkingTermination(message: "Stop."))
        #expect(control.thinkingTerminationRequestCount == 1)
        #expect(generation.takeTerminationRequest() == "Stop.")
        #expect(generation.takeTerminationRequest() == nil)
        #expect(control.requestThinkingTermination())
        #expect(control.thinkingTerminationRequestCount == 2)
        #expect(generation.takeTerminationRequest() == "")
        #expect(generation.takeTerminationRequest() == nil)
    }

    @Test("RS-5: a newer pending request replaces an older one")
    func replaces() {
        let control = LLMGenerationControl()
        let generation = control.beginGeneration()
        control.requestThinkingTermination(message: "First.")
        control.requestThinkingTermination(message: "Second.")
        #expect(control.thinkingTerminationRequestCount == 2)
        #expect(generation.takeTerminationRequest() == "Second.")
        #expect(generation.takeTerminationRequest() == nil)
    }

    @Test("RS-5: the end resets the count and drops what is pending", arguments: [true, false])
    func end(isExplicit: Bool) {
        let control = LLMGenerationControl()
        var generation: LLMGenerationControl.Registration? = control.beginGeneration()
        control.requestThinkingTermination(message: "Late.")
        if isExplicit { generation?.end() }
        #expect(!isExplicit || generation?.takeTerminationRequest() == nil)
        generation = nil
        #expect(control.thinkingTerminationRequestCount == 0)
        #expect(!control.requestThinkingTermination())
        let next = control.beginGeneration()
        #expect(next.takeTerminationRequest() == nil)
        #expect(control.thinkingTerminationRequestCount == 0)
    }

    @Test("RS-5: a shared control addresses every running generation")
    func shared() {
        let control = LLMGenerationControl()
        let first = control.beginGeneration()
        let second = control.beginGeneration()
        control.requestThinkingTermination(message: "Both.")
        #expect(control.thinkingTerminationRequestCount == 1)
        #expect(first.takeTerminationRequest() == "Both.")
        first.end()
        first.end()
        #expect(control.thinkingTerminationRequestCount == 1)
        #expect(second.takeTerminationRequest() == "Both.")
        let third = control.beginGeneration()
        #expect(third.takeTerminationRequest() == nil)
        second.end()
        third.end()
        #expect(control.thinkingTerminationRequestCount == 0)
    }

    @Test("RS-5: requests from many tasks are all counted, and one is taken")
    func concurrency() async {
        let control = LLMGenerationControl()
        let generation = control.beginGeneration()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask { control.requestThinkingTermination(message: String(number)) }
            }
        }
        #expect(control.thinkingTerminationRequestCount == 50)
        #expect(generation.takeTerminationRequest() != nil)
        #expect(generation.takeTerminationRequest() == nil)
    }
}
