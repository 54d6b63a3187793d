import GGUFFormat
import TestSupport
import Testing

@Suite("GGUF metadata that would end the process")
struct LoadGuardsTests {
    typealias Value = GGUFBuilder.Value

    private func reason(_ keyValues: [(String, Value)], architecture: String = "llama") -> String {
        var builder = GGUFBuilder().adding("general.architecture", .string(architecture))
        for (key, value) in keyValues { builder.add(key, value) }
        #expect(throws: Never.self) { try builder.check(.inspection) }
        return readerError { () throws(GGUFReaderError) in try builder.check(.loading) }?.malformedReason ?? ""
    }

    @Test(
        "layers: 1 to 512",
        arguments: [(0, false), (1, true), (512, true), (513, false), (.max, false)] as [(UInt32, Bool)])
    func layers(count: UInt32, isAccepted: Bool) {
        #expect(reason([("llama.block_count", .uint32(count))]).isEmpty == isAccepted)
    }

    @Test("a wrong type is left to the runtime, which reports it")
    func wrongType() {
        #expect(reason([("llama.block_count", .string("0"))]).isEmpty)
        #expect(reason([("other.block_count", .uint32(0))]).isEmpty)
    }

    @Test("prediction layers are among the layers", arguments: [(0, true), (4, true), (5, false)] as [(UInt32, Bool)])
    func predictedLayers(count: UInt32, isAccepted: Bool) {
        let keyValues: [(String, Value)] = [
            ("llama.block_count", .uint32(4)), ("llama.nextn_predict_layers", .uint32(count)),
        ]
        #expect(reason(keyValues).isEmpty == isAccepted)
    }

    @Test(
        "experts agree with each other",
        arguments: [
            (8, .uint32(2), 0, 0, true), (0, .uint32(0), 0, 0, true), (1024, .uint32(8), 0, 0, true),
            (1025, .uint32(8), 0, 0, false), (8, .uint32(9), 0, 0, false), (8, .uint32(0), 0, 0, false),
            (0, .uint32(1), 0, 0, false), (0, .uint32(0), 1, 0, false), (8, .uint32(2), 8, 1, false),
            (8, .uint32(2), 4, 2, true), (8, .uint32(2), 3, 2, false), (8, .uint32(2), 4, 0, false),
            (8, .uint32(2), 4, 4, false), (8, .uint32(2), 1, 0, true),
            (8, .array(type: 4, [.uint32(2), .uint32(8)]), 0, 0, true),
            (8, .array(type: 4, [.uint32(2), .uint32(9)]), 0, 0, false), (8, .int32s([2, -1]), 0, 0, false),
        ] as [(UInt32, Value, UInt32, UInt32, Bool)])
    func experts(count: UInt32, used: Value, groups: UInt32, usedGroups: UInt32, isAccepted: Bool) {
        let keyValues: [(String, Value)] = [
            ("llama.block_count", .uint32(2)), ("llama.expert_count", .uint32(count)),
            ("llama.expert_used_count", used), ("llama.expert_group_count", .uint32(groups)),
            ("llama.expert_group_used_count", .uint32(usedGroups)),
        ]
        #expect(reason(keyValues).isEmpty == isAccepted)
    }

    @Test("one architecture states a single expert where there is none")
    func singleExpert() {
        let keyValues: [(String, Value)] = [
            ("hunyuan-dense.block_count", .uint32(2)), ("hunyuan-dense.expert_count", .uint32(1)),
            ("hunyuan-dense.expert_used_count", .uint32(2)),
        ]
        #expect(reason(keyValues, architecture: "hunyuan-dense").isEmpty)
    }

    @Test(
        "rope scaling types",
        arguments: [("linear", true), ("yarn", true), ("none", true), ("longrope", true), ("su", false)])
    func ropeScaling(type: String, isAccepted: Bool) {
        #expect(reason([("llama.rope.scaling.type", .string(type))]).isEmpty == isAccepted)
    }

    @Test("projectors have none of these dimensions")
    func projector() {
        #expect(reason([("clip.block_count", .uint32(0))], architecture: "clip").isEmpty)
    }

    @Test(
        "the split position has its type",
        arguments: [(.uint16(1), true), (.uint32(1), false), (.int32(0), false)] as [(Value, Bool)])
    func splitNumber(value: Value, isAccepted: Bool) {
        #expect(reason([("split.no", value)]).isEmpty == isAccepted)
    }

    @Test(
        "tokens are different from each other",
        arguments: [
            (["a", "b"], true), (["a", "b", "a"], false), (["", "", "x"], true), (["", "[EMPTY_0]"], false),
            (["[EMPTY_0]", ""], true), (["a\0b", "a\0c"], false), (["\u{E9}", "e\u{301}"], true), ([], true),
        ])
    func tokens(tokens: [String], isAccepted: Bool) {
        #expect(reason([("tokenizer.ggml.tokens", .strings(tokens))]).isEmpty == isAccepted)
    }

    @Test("a repeated token is named with its number, however many tokens there are")
    func repeatedToken() {
        var tokens = (0..<70_000).map { "token \($0)" }
        tokens.append("token 12")
        let reason = reason([("tokenizer.ggml.tokens", .strings(tokens))])
        #expect(reason.contains("token 70000 \"token 12\" occurs twice"))
    }

    @Test("tokens longer than the reader's window are compared too")
    func longTokens() {
        let long = String(repeating: "x", count: 70_000)
        #expect(reason([("tokenizer.ggml.tokens", .strings([long, "a", long + "y"]))]).isEmpty)
        #expect(!reason([("tokenizer.ggml.tokens", .strings([long, "a", long]))]).isEmpty)
    }

    @Test("values that are too large to be kept do not get past the guards")
    func noWayRound() {
        let long = String(repeating: "x", count: (4 << 20) + 1)
        #expect(reason([("llama.rope.scaling.type", .string(long))]).contains("too much metadata"))
        let many = GGUFBuilder.Value.array(type: 4, [Value](repeating: .uint32(1), count: 513))
        #expect(reason([("llama.block_count", .uint32(2)), ("llama.expert_used_count", many)]).contains("experts"))
    }

    @Test("a file that uses up the memory of the check is refused", arguments: [0, 200, 500] as [UInt64])
    func memoryLimit(limit: UInt64) {
        var capture = GGUFCapture(names: [], suffixes: [".context_length"])
        capture.memoryLimit = limit
        let builder = GGUFBuilder().adding("a.context_length", .uint32(1)).adding("b.context_length", .uint32(1))
            .adding("general.architecture", .string("llama")).adding("llama.block_count", .uint32(0))
        let error = readerError { () throws(GGUFReaderError) in
            try GGUFFileCheck().report(on: MemoryByteSource(builder.bytes()), capture: capture)
        }
        #expect(error?.malformedReason.contains("too much metadata") == true)
    }

    @Test(
        "what the runtime's reader refuses",
        arguments: [
            ("", .uint8(1), "empty key"), ("a\0b", .uint8(1), "zero byte"),
            ("nested", .nested(depth: 2), "array of arrays"),
        ] as [(String, Value, String)])
    func runtimeRules(key: String, value: Value, part: String) {
        #expect(reason([(key, value)]).contains(part))
    }
}
