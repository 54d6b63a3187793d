import CLlama
import Foundation
import Testing

private let a = TinyModel.letter("a")
private let b = TinyModel.letter("b")
private let c = TinyModel.letter("c")

@Suite("Thinking budget", .needsRuntime)
struct ThinkingBudgetTests {
    /// A context behind which the likeliest token is always "a".
    private static func context() throws -> Context {
        let context = try Context(try Files.model(TinyModel.builder(letters: [3, 2, 1]).data))
        try context.append([3])
        return context
    }

    @Test("TH-8: with a budget of 0 nothing but the closer follows the opener")
    func zero() throws {
        let context = try Self.context()
        let sampler = try Sampler(context.model)
        try sampler.limitThinking(opener: [a], closer: [b], tokens: 0)
        #expect(sampler.thinkingState == CL_THINKING_IDLE)
        #expect(try sampler.sample(context) == a)
        #expect(sampler.thinkingState == CL_THINKING_FORCING)
        #expect(try sampler.sample(context) == b)
        #expect(sampler.thinkingState == CL_THINKING_DONE)
        // What comes after is the model's, also when it begins to think again.
        #expect(try [sampler.sample(context), sampler.sample(context)] == [a, a])
        #expect(sampler.thinkingState == CL_THINKING_DONE)
    }

    @Test("TH-8: each token of thinking counts, the opener does not")
    func counts() throws {
        let context = try Self.context()
        let sampler = try Sampler(context.model)
        try sampler.limitThinking(opener: [a], closer: [b], tokens: 2)
        var states: [cl_thinking_state] = []
        for _ in 0..<3 {
            #expect(try sampler.sample(context) == a)
            states.append(sampler.thinkingState)
        }
        #expect(states == [CL_THINKING_COUNTING, CL_THINKING_COUNTING, CL_THINKING_FORCING])
        #expect(try sampler.sample(context) == b)
    }

    @Test("TH-8: a reply that begins within its thinking counts at once", arguments: [Int32(0), 1])
    func counting(budget: Int32) throws {
        let context = try Self.context()
        let sampler = try Sampler(context.model)
        try sampler.limitThinking(closer: [c], forced: [b, c], tokens: budget, isCounting: true)
        let expected = Array(repeating: a, count: Int(budget)) + [b, c, a]
        #expect(try expected.indices.map { _ in try sampler.sample(context) } == expected)
    }

    @Test("TH-8: the model's own closer ends the count")
    func naturalEnd() throws {
        let context = try Self.context()
        let sampler = try Sampler(context.model)
        try sampler.limitThinking(closer: [a], forced: [b], tokens: 10, isCounting: true)
        #expect(try sampler.sample(context) == a)
        #expect(sampler.thinkingState == CL_THINKING_DONE)
    }

    @Test("TH-8: a grammar notes forced tokens only if it describes the thinking", arguments: [false, true])
    func grammar(coversThinking: Bool) throws {
        let context = try Self.context()
        let parameters = Sampler.parameters {
            $0.grammar_start = CL_GRAMMAR_ON_TRIGGER
            $0.grammar_covers_thinking = coversThinking
        }
        // Thinking, its end, and what follows.
        let sampler = try Sampler(context.model, parameters, grammar: "root ::= \"a\"+ \"b\" \"c\"+")
        try sampler.beginGrammar("")
        try sampler.limitThinking(closer: [b], forced: [a, b], tokens: 1, isCounting: true)
        let forced = try [sampler.sample(context), sampler.sample(context), sampler.sample(context)]
        #expect(forced == [a, a, b])
        #expect(try sampler.sample(context) == (coversThinking ? c : a))
    }

    @Test("TH-8: a grammar that a forced token does not fit applies no longer")
    func abandonedGrammar() throws {
        let context = try Self.context()
        let parameters = Sampler.parameters {
            $0.grammar_start = CL_GRAMMAR_ON_TRIGGER
            $0.grammar_covers_thinking = true
        }
        let sampler = try Sampler(context.model, parameters, grammar: "root ::= \"b\"+ \"a\"")
        try sampler.beginGrammar("")
        try sampler.limitThinking(closer: [c], tokens: 1, isCounting: true)
        #expect(try [sampler.sample(context), sampler.sample(context), sampler.sample(context)] == [b, c, a])
        #expect(try sampler.sample(context) == a)
    }

    @Test("TH-8, TH-9: tokens are forced while counting, refused before and after")
    func force() throws {
        let context = try Self.context()
        let sampler = try Sampler(context.model)
        try sampler.limitThinking(opener: [a], closer: [c], tokens: .max)
        #expect(!sampler.endThinking([b, c]))
        #expect(try sampler.sample(context) == a)
        #expect(!sampler.endThinking([]))
        #expect(sampler.endThinking([b, c]))
        #expect(!sampler.endThinking([b, c]), "it is forcing already")
        #expect(try [sampler.sample(context), sampler.sample(context)] == [b, c])
        #expect(!sampler.endThinking([b, c]))
        #expect(try !Sampler(context.model).endThinking([b]), "without a budget there is nothing to end")
    }

    @Test("K10: what is forced is none of the grammar's business, eager or not")
    func grammar() throws {
        let context = try Self.context()
        let eager = try Sampler(context.model, grammar: "root ::= \"c\"+")
        try eager.limitThinking(closer: [b], forced: [a, b], tokens: 0, isCounting: true)
        #expect(try (0..<4).map { _ in try eager.sample(context) } == [a, b, c, c])
        let params = Sampler.parameters { $0.grammar_start = CL_GRAMMAR_AFTER_MARKER }
        let lazy = try Sampler(context.model, params, grammar: "root ::= \"c\"+")
        try lazy.limitThinking(closer: [b], tokens: 1, isCounting: true)
        #expect(try [lazy.sample(context), lazy.sample(context)] == [a, b])
        try lazy.beginGrammar("")
        #expect(try [lazy.sample(context), lazy.sample(context)] == [c, c])
    }

    @Test("SM-1: the budget comes first in the chain")
    func description() throws {
        let model = try Model(Files.pocketModel, vocabularyOnly: true)
        let sampler = try Sampler(model, grammar: "root ::= \"a\"")
        try sampler.limitThinking(closer: [1], tokens: 1)
        try sampler.limitThinking(closer: [1], tokens: 2)
        #expect(sampler.description == "reasoning-budget,penalties,grammar:eager,greedy")
    }

    @Test("Bad budgets are refused")
    func refused() throws {
        let sampler = try Sampler(try Model(Files.pocketModel, vocabularyOnly: true))
        #expect(status { try sampler.limitThinking(closer: [1], tokens: -1) } == CL_INVALID_ARGUMENT)
        #expect(status { try sampler.limitThinking(closer: [], tokens: 1) } == CL_INVALID_ARGUMENT)
        #expect(status { try sampler.limitThinking(closer: [.max], tokens: 1) } == CL_INVALID_ARGUMENT)
        #expect(status { try sampler.limitThinking(opener: [-1], closer: [1], tokens: 1) } == CL_INVALID_ARGUMENT)
    }
}
