import CLlama
import Foundation
import Testing

private let a = TinyModel.letter("a")
private let b = TinyModel.letter("b")
private let c = TinyModel.letter("c")

@Suite("Grammars that wait", .needsRuntime)
struct LazyGrammarTests {
    private static func pair(_ start: cl_grammar_start, _ grammar: String) throws -> (Sampler, Context) {
        let context = try Context(try Files.model(TinyModel.builder(letters: [3, 2, 1]).data))
        try context.append([3])
        return (try Sampler(context.model, Sampler.parameters { $0.grammar_start = start }, grammar: grammar), context)
    }

    @Test("ST-2: nothing is constrained before the grammar begins", arguments: [1, 2])
    func waits(start: UInt32) throws {
        let (sampler, context) = try Self.pair(cl_grammar_start(rawValue: start), "root ::= \"b\" \"c\"")
        #expect(try [sampler.sample(context), sampler.sample(context)] == [a, a])
        try sampler.beginGrammar("")
        #expect(try [sampler.sample(context), sampler.sample(context)] == [b, c])
    }

    @Test("ST-2: the rest of a token belongs to the grammar; white space may come first after a marker")
    func rest() throws {
        let (spaced, context) = try Self.pair(CL_GRAMMAR_AFTER_MARKER, "root ::= \"ab\" \"c\"")
        try spaced.beginGrammar("\n\nab")
        #expect(try spaced.sample(context) == c)
        let (plain, other) = try Self.pair(CL_GRAMMAR_ON_TRIGGER, "root ::= \"ab\" \"c\"")
        #expect(status { try plain.beginGrammar("\nab") } == CL_GRAMMAR_INVALID)
        #expect(try plain.sample(other) == a, "a refused beginning changes nothing")
        try plain.beginGrammar("ab")
        #expect(try plain.sample(other) == c)
    }

    @Test("ST-2: without thinking the grammar holds from the first token, with it from the closer on")
    func orThinking() throws {
        // "a" opens, "b" closes; the model likes "a" best, then "b", then "c".
        let cases: [(letters: [Float], expected: [Int32])] = [([3, 2, 1], [a, a, a]), ([1, 3, 2], [c, c])]
        for (letters, expected) in cases {
            let context = try Context(try Files.model(TinyModel.builder(letters: letters).data))
            try context.append([3])
            let sampler = try "a".withCString { opener in
                try "b".withCString { closer in
                    let params = Sampler.parameters {
                        $0.grammar_start = CL_GRAMMAR_OR_THINKING
                        $0.thinking_opener = opener
                        $0.thinking_closer = closer
                    }
                    return try Sampler(context.model, params, grammar: "root ::= \"c\"+")
                }
            }
            #expect(try expected.map { _ in try sampler.sample(context) } == expected)
            guard letters[0] == 3 else { continue }
            try sampler.beginGrammar("\n")
            #expect(try sampler.sample(context) == c)
        }
        let model = try Model(Files.pocketModel, vocabularyOnly: true)
        let params = Sampler.parameters { $0.grammar_start = CL_GRAMMAR_OR_THINKING }
        #expect(status { _ = try Sampler(model, params, grammar: "root ::= \"c\"") } == CL_INVALID_ARGUMENT)
    }

    @Test("A grammar begins once, and an eager one has begun")
    func once() throws {
        let (sampler, context) = try Self.pair(CL_GRAMMAR_ON_TRIGGER, "root ::= \"b\" \"c\"")
        try sampler.beginGrammar("")
        #expect(try sampler.sample(context) == b)
        try sampler.beginGrammar("zzz")
        #expect(try sampler.sample(context) == c)
        let (eager, other) = try Self.pair(CL_GRAMMAR_EAGER, "root ::= \"b\"")
        try eager.beginGrammar("c")
        #expect(try eager.sample(other) == b)
        try Sampler(other.model).beginGrammar("without a grammar there is nothing to begin")
    }

    @Test("SM-1: the label says that it waits")
    func description() throws {
        #expect(try Self.pair(CL_GRAMMAR_ON_TRIGGER, "root ::= \"b\"").0.description == "penalties,grammar:lazy,greedy")
    }
}
