import CLlama
import Foundation
import Testing

@Suite("Logprobs", .needsRuntime)
struct LogprobTests {
    private static func context(_ letters: [Float], special: [Float] = [-1000, -1000, -1000]) throws -> Context {
        let context = try Context(try Files.model(TinyModel.builder(letters: letters, special: special).data))
        try context.append([3])
        return context
    }

    @Test("RS-3: the natural logarithms of the softmax, sorted, ties by id, whatever the sampler does")
    func values() throws {
        let context = try Self.context([1, 3, 2, 3])
        let entries = try context.logprobs(chosen: 3, count: 3)
        let total = log(exp(1.0) + 2 * exp(3.0) + exp(2.0))
        #expect(entries.map(\.token) == [3, 4, 6, 5])
        for (entry, logit) in zip(entries, [1.0, 3, 3, 2]) {
            #expect(abs(entry.logprob - (logit - total)) < 1e-5)
        }
    }

    @Test("RS-3: no more than the vocabulary, and none but the chosen one for 0")
    func counts() throws {
        let context = try Self.context([1, 2])
        #expect(try context.logprobs(chosen: 4, count: 20).count == 6)
        #expect(try context.logprobs(chosen: 4, count: 0).map(\.token) == [4])
    }

    @Test("Numbers that are none are impossible")
    func noNumbers() throws {
        let context = try Self.context([.nan, 2, -.infinity])
        let entries = try context.logprobs(chosen: 3, count: 1)
        #expect(entries[0].logprob == -.infinity)
        #expect(entries[1].token == 4 && abs(entries[1].logprob) < 1e-5)
        let none = Array(repeating: Float.nan, count: 3)
        let empty = try Self.context(none, special: none)
        #expect(try empty.logprobs(chosen: 0, count: 1).allSatisfy { $0.logprob == -.infinity })
    }

    @Test("Entries without logits and unknown tokens are refused")
    func refused() throws {
        let context = try Self.context([1, 2])
        #expect(status { _ = try context.logprobs(3, chosen: 3, count: 1) } == CL_INVALID_ARGUMENT)
        #expect(status { _ = try context.logprobs(chosen: 99, count: 1) } == CL_INVALID_ARGUMENT)
    }
}
