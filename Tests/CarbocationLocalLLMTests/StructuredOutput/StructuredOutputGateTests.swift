import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("StructuredOutputGate")
struct StructuredOutputGateTests {
    @Test("ST-3: white space before lazily constrained output is not let through, however it is cut")
    func lazy() {
        for chunks in " \n\u{A0}{\"a\": 1} \n".unicodeScalars.chunkings() {
            var gate = StructuredOutputGate(constraint: .lazy)
            #expect(chunks.map { gate.push(String($0)) }.joined() == "{\"a\": 1} \n")
            #expect(gate.hasBegun)
        }
    }

    @Test("ST-3: eagerly constrained output is let through whole")
    func eager() {
        var gate = StructuredOutputGate(constraint: .eager)
        #expect(gate.push("") == "")
        #expect(!gate.hasBegun)
        #expect(gate.push(" 1") == " 1")
        #expect(gate.hasBegun)
    }

    @Test("ST-3: text that no grammar bound is not let through")
    func unconstrained() {
        var gate = StructuredOutputGate(constraint: .lazy)
        #expect(gate.push("I will now return JSON.", isConstrained: false) == "")
        #expect(!gate.hasBegun)
        #expect(gate.push("{") == "{")
        #expect(gate.push(" ") == " ")
    }

    @Test(
        "ST-3: a run that ends before structured output fails, but not for a limit inside the thinking",
        arguments: [
            (.lazy, .thinking, "complete", true), (.lazy, .thinking, "stop-sequence", true),
            (.lazy, .thinking, "max-tokens", false), (.lazy, .thinking, "context-full", false),
            (.lazy, .final, "max-tokens", true), (.lazy, .final, "complete", true), (.lazy, .unknown, "complete", true),
            (.lazy, .thinking, "tool-call-complete", false), (.eager, .final, "complete", false),
            (.eager, .final, "stop-sequence", true), (.eager, .unknown, "max-tokens", true),
        ] as [(StructuredOutputGate.Constraint, LLMStreamContentPhase, LLMStopReason, Bool)])
    func failure(
        constraint: StructuredOutputGate.Constraint, phase: LLMStreamContentPhase, stopReason: LLMStopReason,
        fails: Bool
    ) {
        var gate = StructuredOutputGate(constraint: constraint)
        guard case .structuredOutputPhaseFailed(let message)? = gate.failure(endingIn: phase, stopReason: stopReason)
        else {
            #expect(!fails)
            return
        }
        #expect(fails)
        #expect(message.contains(stopReason.rawValue))
        _ = gate.push("{")
        #expect(gate.failure(endingIn: phase, stopReason: stopReason) == nil)
    }
}
