import CLlama
import Foundation
import Testing

@Suite("Grammars", .needsRuntime)
struct GrammarTests {
    private let model: Model

    init() throws {
        model = try Model(Files.pocketModel)
    }

    private func refusal(_ grammar: String) -> cl_status {
        status { _ = try Sampler(model, grammar: grammar) }
    }

    @Test(
        "Right grammars are taken",
        arguments: [
            #"root ::= "a""#,
            "root ::= [a-z]+ # comment\n",
            "root ::= \"\"",
            "root ::= (\"a\" | [^\\n\\x00-\\x1F]){2,5}",
            "root ::=\n  item\n\nitem ::= \"x\" |\n \"y\"",
            "root ::= <[5]> !<[6]>*",
            "root ::= <think> .*",
            "root ::= x*\nx ::= \"a\"? \"b\"",
            "root ::= (\"a\"?){0,5}",
            "root ::= x*\nx ::= (\"a\"?)*",
            "root ::= \"a\"{0}",
            "root ::= " + String(repeating: "(", count: 256) + "\"a\"" + String(repeating: ")", count: 256),
            "root ::= [\\]\\-\\u00e9]\r\n",
            "root ::= \"é日😀\"",
            "root ::= \"(\" root \")\" | \"\"",
            "root ::= \"a\" root?",
        ])
    func right(grammar: String) {
        #expect(refusal(grammar) == CL_OK)
    }

    @Test(
        "Wrong grammars are refused",
        arguments: [
            "",
            " \n# only a comment",
            "foo ::= \"a\"",
            "root ::= missing",
            "root ::= \"a",
            "root ::= [a",
            "root = \"a\"",
            "root ::= (\"a\"",
            "root ::= \"a\")",
            "root ::= *",
            "root ::= \"\"+",
            "root ::= \"a\"{5,2}",
            "root ::= \"a\"{x}",
            "root ::= \"a\"{,3}",
            "root ::= \"a\"{1,2",
            "root ::= \"\\q\"",
            "root ::= \"\\x1\"",
            "root ::= <[99999]>",
            "root ::= <[1>",
            "root ::= <no such token>",
            "root ::= !\"a\"",
            "root ::= \"a\" root2 ::= \"b\"",
            "%llguidance {}",
            "root ::= \"a\"{3000}",
            "root ::= (\"a\"{0,50}){0,50}",
            "root ::= \"a\"{99999999999999999999}",
        ])
    func wrong(grammar: String) {
        #expect(refusal(grammar) == CL_GRAMMAR_INVALID)
    }

    @Test(
        "Left recursion is refused, also where a rule only may be empty",
        arguments: [
            "root ::= root \"a\" | \"b\"",
            "root ::= x \"a\"\nx ::= root | \"b\"",
            "root ::= e root \"a\" | \"b\"\ne ::= \"\"",
            "root ::= e root \"a\" | \"b\"\ne ::= f\nf ::= \"x\"?",
            "root ::= x\nx ::= y? x \"z\" | \"w\"\ny ::= \"q\"*",
            "root ::= b | c\nb ::= root\nc ::= b \"x\" | \"y\"",
            "root ::= \"x\" y\ny ::= e y\ne ::= \"\"",
        ])
    func leftRecursion(grammar: String) {
        #expect(refusal(grammar) == CL_GRAMMAR_INVALID)
        let reason = reason { _ = try Sampler(model, grammar: grammar) }
        #expect(reason.contains("rule \"") && reason.hasSuffix("is left-recursive"))
    }

    @Test("G03: grammars that grow beyond all bounds are refused at once")
    func bounds() {
        let literal = String(repeating: "x", count: 2000)
        let chain = (0..<40).map { "r\($0) ::= r\($0 + 1) \"a\" | r\($0 + 1) \"b\"" }.joined(separator: "\n")
        let deep = (0..<5000).map { "r\($0) ::= r\($0 + 1)" }.joined(separator: "\n")
        let grammars = [
            "root ::= \"\(literal)\"{2000}",
            "root ::= r0\n\(chain)\nr40 ::= \"c\"",
            "root ::= r0\n\(deep)\nr5000 ::= \"c\"",
            "root ::= " + String(repeating: "(", count: 257) + "\"a\"" + String(repeating: ")", count: 257),
            "root ::= " + String(repeating: "(", count: 60_000) + "\"a\"" + String(repeating: ")", count: 60_000),
            "root ::= \"a\" #" + String(repeating: "x", count: 300_000),
        ]
        for grammar in grammars {
            #expect(refusal(grammar) == CL_LIMIT_EXCEEDED)
        }
    }

    @Test("A grammar that is no UTF-8 is refused")
    func invalidText() {
        let bytes: [CChar] = Array("root ::= \"".utf8CString.dropLast()) + [CChar(bitPattern: 0xE6), 34, 0]
        let refused = bytes.withUnsafeBufferPointer { text in
            var params = Sampler.parameters { $0.grammar = text.baseAddress }
            var created: OpaquePointer?
            return cl_sampler_create(model.raw, &params, &created)
        }
        #expect(refused == CL_GRAMMAR_INVALID)
    }

    @Test("The reason names the line and the rule")
    func line() {
        let reason = reason { _ = try Sampler(model, grammar: "root ::= x\nx ::= \"a\" )\n") }
        #expect(reason.contains("line 2") && reason.contains("rule \"x\""))
    }
}

@Suite("Replies under a grammar", .needsRuntime)
struct GrammarSamplingTests {
    private func reply(
        _ model: Model, _ grammar: String, limit: Int = 12, _ change: (inout cl_sampler_params) -> Void = { _ in }
    ) throws -> String {
        let context = try Context(model)
        try context.append([3])
        let sampler = try Sampler(model, Sampler.parameters(change), grammar: grammar)
        var tokens: [Int32] = []
        while tokens.count < limit {
            let token = try sampler.sample(context)
            if model.endsGeneration(token) { break }
            tokens.append(token)
            try context.append([token])
        }
        return model.text(tokens)
    }

    @Test("SM-2: greedy takes the likeliest token that fits")
    func masked() throws {
        let model = try Files.model(TinyModel.builder(letters: [1, 5, 2, 3]).data)
        #expect(try reply(model, "root ::= [acd] [ac] \"b\"") == "dcb")
    }

    @Test("SM-2: sampled replies fit too", arguments: [UInt32(1), 2, 3, 4, 5])
    func sampled(seed: UInt32) throws {
        let model = try Files.model(TinyModel.builder(letters: [1, 1, 1, 1, 1]).data)
        let text = try reply(model, "root ::= [ab] [cd]{3} \"e\"") {
            $0.temperature = 1
            $0.top_k = 2
            $0.seed = seed
        }
        #expect(text.wholeMatch(of: /[ab][cd]{3}e/) != nil)
    }

    @Test("SM-2: the choice is the same as from the whole masked vocabulary, top-k included")
    func likeliestThatFit() throws {
        let letters = (0..<26).map { Float(26 - $0) / 4 }
        let context = try Context(try Files.model(TinyModel.builder(letters: letters).data))
        try context.append([3])
        let grammar = "root ::= [m-z]+"
        #expect(try Sampler(context.model, grammar: grammar).sample(context) == TinyModel.letter("m"))
        // With a penalty that changes nothing the whole vocabulary is masked.
        for topK in [Int32(1), 3] {
            let draws = try [Float(0), .leastNonzeroMagnitude].map { penalty in
                try (0..<40).map { seed in
                    let params = Sampler.parameters {
                        $0.temperature = 1
                        $0.top_k = topK
                        $0.seed = UInt32(seed)
                        $0.presence_penalty = penalty
                    }
                    return try Sampler(context.model, params, grammar: grammar).sample(context)
                }
            }
            let allowed = Set((0..<min(Int(topK), 14)).map { TinyModel.letter("m") + Int32($0) })
            #expect(Set(draws[0]).isSubset(of: allowed) && Set(draws[1]).isSubset(of: allowed))
            #expect(draws[0] == draws[1])
        }
    }

    @Test("A reply ends when the grammar is through")
    func ends() throws {
        let model = try Files.model(TinyModel.builder(letters: [5, 1]).data)
        #expect(try reply(model, "root ::= \"ab\"") == "ab")
    }

    @Test("SM-2: without a token that fits sampling fails, and again if repeated")
    func nothingFits() throws {
        let model = try Files.model(TinyModel.builder(letters: [5, 1]).data)
        let context = try Context(model)
        try context.append([3])
        let sampler = try Sampler(model, grammar: "root ::= \"z\"")
        #expect(status { _ = try sampler.sample(context) } == CL_SAMPLER_FAILED)
        #expect(status { _ = try sampler.sample(context) } == CL_SAMPLER_FAILED)
    }

    @Test("Control tokens never stand in for their text, unless the grammar spells it")
    func control() throws {
        // "<s>" is a control token: llama.cpp would take it for three characters that it does not show.
        let model = try Files.model(TinyModel.builder(letters: [1, 2], special: [-1000, 9, -1000]).data)
        #expect(try reply(model, "root ::= .{2}", limit: 2) == "bb")
        let spelt = try reply(model, "root ::= \"<s>\" \"a\"", limit: 2)
        #expect(spelt == "<s>a")
        #expect(try reply(model, "root ::= <[1]> \"a\"", limit: 2) == "<s>a")
    }

    @Test("A JSON grammar keeps a real model to JSON")
    func json() throws {
        let model = try Model(Files.pocketModel)
        let text = try reply(model, "root ::= \"{\\\"n\\\": \" [0-9]{1,3} \"}\"", limit: 20)
        #expect(text.wholeMatch(of: /\{"n": [0-9]{1,3}\}/) != nil)
    }
}
