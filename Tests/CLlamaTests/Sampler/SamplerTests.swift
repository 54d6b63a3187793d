import CLlama
import Foundation
import Testing

/// Samples `count` tokens at the same place of a model with these logits for "a", "b", "c" and so on.
private func sample(
    _ letters: [Float], count: Int = 1, special: [Float] = [-1000, -1000, -1000],
    _ change: (inout cl_sampler_params) -> Void = { _ in }
) throws -> [Int32] {
    let model = try Files.model(TinyModel.builder(letters: letters, special: special).data)
    let context = try Context(model)
    try context.append([3])
    let sampler = try Sampler(model, Sampler.parameters(change))
    return try (0..<count).map { _ in try sampler.sample(context) }
}

private let a = TinyModel.letter("a")
private let b = TinyModel.letter("b")
private let c = TinyModel.letter("c")

@Suite("Sampling", .needsRuntime)
struct SamplerTests {
    @Test(
        "M01: temperatures up to 0 and the tiniest above it take the likeliest token",
        arguments: [Float(0), -0.0, -1, 1e-9, .leastNonzeroMagnitude])
    func greedy(temperature: Float) throws {
        #expect(try sample([1, 3, 2], count: 20) { $0.temperature = temperature } == Array(repeating: b, count: 20))
    }

    @Test("M01: among equals greedy takes the lowest id")
    func ties() throws {
        #expect(try sample([3, 3, 1]) == [a])
        #expect(try sample([1, 3, 3, 3]) == [b])
    }

    @Test("Greedy finds the likeliest token wherever it is, and the same as with penalties that change nothing")
    func positions() throws {
        for position in 0..<26 {
            var letters = (0..<26).map { Float($0 % 5) }
            letters[position] = 9
            letters[25 - position] = .nan
            guard position != 25 - position else { continue }
            let expected = TinyModel.letter("a") + Int32(position)
            #expect(try sample(letters) == [expected])
            #expect(try sample(letters) { $0.presence_penalty = .leastNonzeroMagnitude } == [expected])
        }
    }

    @Test("GO-4: options that are no numbers or out of range are refused")
    func options() throws {
        let bad: [(inout cl_sampler_params) -> Void] = [
            { $0.temperature = .nan }, { $0.temperature = .infinity }, { $0.top_p = .nan }, { $0.top_p = -0.1 },
            { $0.min_p = .nan }, { $0.min_p = -1 }, { $0.min_p = 1.5 }, { $0.repetition_penalty = 0 },
            { $0.repetition_penalty = -1 }, { $0.repetition_penalty = .nan },
            { $0.repetition_penalty = .leastNonzeroMagnitude }, { $0.presence_penalty = .infinity },
            { $0.penalty_window = -1 }, { $0.penalty_window = .max },
        ]
        for change in bad {
            #expect(status { _ = try sample([1, 2], change) } == CL_INVALID_ARGUMENT)
        }
    }

    @Test("M03: a top-k of 0 or less is no limit", arguments: [Int32(0), -5])
    func noTopK(limit: Int32) throws {
        let tokens = try sample([1, 1, 1], count: 200) {
            $0.temperature = 1
            $0.top_k = limit
        }
        #expect(Set(tokens) == [a, b, c])
    }

    @Test("Top-k, top-p and min-p cut the unlikely off, but never all")
    func filters() throws {
        let cuts: [(inout cl_sampler_params) -> Void] = [
            { $0.top_k = 1 }, { $0.top_p = 0 }, { $0.top_p = 0.3 }, { $0.min_p = 1 }, { $0.min_p = 0.9 },
        ]
        for cut in cuts {
            let tokens = try sample([1, 3, 2], count: 50) {
                $0.temperature = 1
                cut(&$0)
            }
            #expect(Set(tokens) == [b])
        }
        let two = try sample([1, 3, 2], count: 200) {
            $0.temperature = 1
            $0.top_k = 2
        }
        #expect(Set(two) == [b, c])
    }

    @Test("Shares follow the logits and the temperature")
    func shares() throws {
        let hot = try sample([0, logf(3)], count: 2000) { $0.temperature = 1 }
        #expect((1400...1600).contains(hot.filter { $0 == b }.count))
        let cold = try sample([0, logf(3)], count: 2000) { $0.temperature = 0.5 }
        #expect((1740...1860).contains(cold.filter { $0 == b }.count))
    }

    @Test(
        "M04: equal seeds repeat a run, others do not, and no seed stands for a random one",
        arguments: [UInt32(0), 1, .max])
    func seeds(seed: UInt32) throws {
        let run = { (seed: UInt32) in
            try sample([1, 1, 1, 1], count: 40) {
                $0.temperature = 1
                $0.seed = seed
            }
        }
        #expect(try run(seed) == run(seed))
        #expect(try run(seed) != run(seed &+ 7))
    }

    @Test("X14: every token of the vocabulary can come up, and no other")
    func allTokens() throws {
        let tokens = try sample([1, 1, 1], count: 400, special: [1, 1, 1]) { $0.temperature = 1 }
        #expect(Set(tokens) == Set(0..<6))
    }

    @Test("Logits that are no numbers are left out; without any other there is no token")
    func noNumbers() throws {
        #expect(try sample([.nan, 1, .nan]) == [b])
        #expect(try sample([-.infinity, .nan, 0], count: 30) { $0.temperature = 1 }.allSatisfy { $0 == c })
        #expect(try sample([1, .infinity, 2]) == [b])
        #expect(try sample([1, .greatestFiniteMagnitude, .infinity]) == [b])
        #expect(try sample([-.infinity, -.greatestFiniteMagnitude, .nan], special: [.nan, .nan, .nan]) == [b])
        let none = Array(repeating: Float.nan, count: 3)
        #expect(status { _ = try sample(none, special: none) } == CL_SAMPLER_FAILED)
    }

    @Test("SM-1: the stages are named in order")
    func description() throws {
        let model = try Model(Files.pocketModel, vocabularyOnly: true)
        #expect(try Sampler(model).description == "penalties,greedy")
        let all = Sampler.parameters {
            $0.temperature = 0.7
            $0.top_p = 0.9
            $0.top_k = 40
            $0.min_p = 0.05
        }
        #expect(
            try Sampler(model, all, grammar: "root ::= \"a\"").description
                == "penalties,grammar:eager,top-k,top-p,min-p,temperature,distribution")
        let bare = Sampler.parameters {
            $0.temperature = 1
            $0.penalty_window = 0
        }
        #expect(try Sampler(model, bare).description == "temperature,distribution")
        let constrained = try Sampler(model, bare, grammar: "root ::= \"a\"").description
        #expect(constrained == "grammar:eager,temperature,distribution")
    }

    @Test("M06: entries without logits and other models' contexts are refused")
    func wrongPlace() throws {
        let model = try Files.model(TinyModel.builder(letters: [1, 2]).data)
        let context = try Context(model)
        let sampler = try Sampler(model)
        #expect(status { _ = try sampler.sample(context) } == CL_INVALID_ARGUMENT)
        try context.append([3, 4])
        #expect(status { _ = try sampler.sample(context, index: 0) } == CL_INVALID_ARGUMENT)
        #expect(status { _ = try sampler.sample(context, index: -1) } == CL_INVALID_ARGUMENT)
        let other = try Context(try Files.model(TinyModel.builder(letters: [1, 2]).data))
        try other.append([3])
        #expect(status { _ = try sampler.sample(other) } == CL_INVALID_ARGUMENT)
    }

    @Test("Tokens that the file suppresses never come up")
    func suppressed() throws {
        var builder = TinyModel.builder(letters: [1, 3, 2])
        builder.set("tokenizer.ggml.suppress_tokens", .ints([b, 99, -1]))
        let model = try Files.model(builder.data)
        let context = try Context(model)
        try context.append([3])
        #expect(try Sampler(model).sample(context) == c)
    }
}
