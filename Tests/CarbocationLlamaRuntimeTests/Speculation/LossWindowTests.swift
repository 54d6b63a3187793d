import TestSupport
import Testing

@testable import CarbocationLlamaRuntime

@Suite("Loss of the last tokens")
struct LossWindowTests {
    @Test("gains do not pay for losses that come after them, and losses fade after 256 tokens")
    func fading() {
        var window = LossWindow()
        window.note(tokens: 10, loss: -8)
        #expect(window.worst == 0)
        window.note(tokens: 1, loss: 3)
        #expect(window.worst == 3)
        window.note(tokens: 4, loss: -1)
        #expect(window.worst == 2)
        window.note(tokens: 250, loss: 0)
        #expect(window.worst == 2)
        window.note(tokens: 8, loss: 0)
        #expect(window.worst == 0)
    }

    @Test("it is never less than the loss of any tokens in it")
    func property() {
        var generator = SeededGenerator(seed: 1)
        var window = LossWindow()
        var steps: [(tokens: Int, loss: Double)] = []
        for _ in 0..<2000 {
            let step =
                Bool.random(using: &generator)
                ? (tokens: 1, loss: 0.0)
                : (tokens: Int.random(in: 1...9, using: &generator), loss: .random(in: -3...2, using: &generator))
            steps.append(step)
            window.note(tokens: step.tokens, loss: step.loss)
            var (tokens, loss, worst) = (0, 0.0, 0.0)
            for step in steps.reversed() {
                tokens += step.tokens
                guard tokens <= LossWindow.length else { break }
                loss += step.loss
                worst = max(worst, loss)
            }
            #expect(window.worst >= worst - 1e-9)
        }
    }
}
