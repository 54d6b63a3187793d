import CarbocationLocalLLM
import Testing

@Suite("Ids of calls")
struct LLMToolCallIDAllocatorTests {
    private func calls(_ rawIDs: String?...) -> [LLMToolCall] {
        rawIDs.map { LLMToolCall(executionID: "", rawID: $0, name: "f", arguments: [:]) }
    }

    @Test("TL-4: rounds without ids")
    func withoutIDs() {
        var allocator = LLMToolCallIDAllocator()
        #expect(allocator.materialize(calls(nil)).map(\.executionID) == ["call_1"])
        #expect(allocator.materialize(calls(nil)).map(\.executionID) == ["call_2"])
        #expect(allocator.materialize([]).isEmpty)
    }

    @Test("TL-4: ids of the batch are not free, and repeated ones are replaced")
    func batch() {
        var allocator = LLMToolCallIDAllocator()
        #expect(allocator.materialize(calls(nil, "call_1")).map(\.executionID) == ["call_2", "call_1"])
        let again = allocator.materialize(calls("call_1"))
        #expect(again.map(\.executionID) == ["call_3"])
        #expect(again.map(\.rawID) == ["call_1"])
    }

    @Test("TL-4: blank ids are none", arguments: ["", "   ", "\n"])
    func blank(id: String) {
        var allocator = LLMToolCallIDAllocator()
        let call = allocator.materialize(calls(id))[0]
        #expect(call.executionID == "call_1")
        #expect(call.rawID == nil)
    }

    @Test("ids repeated within a batch")
    func repeatedInBatch() {
        var allocator = LLMToolCallIDAllocator()
        #expect(allocator.materialize(calls("x", "x", nil, "y")).map(\.executionID) == ["x", "call_1", "call_2", "y"])
    }

    @Test("ids of the conversation are not given again, and names stay")
    func reserved() {
        var allocator = LLMToolCallIDAllocator(reserving: ["call_1", "call_3"])
        let given = allocator.materialize(calls(nil, nil, "call_3"))
        #expect(given.map(\.executionID) == ["call_2", "call_4", "call_5"])
        #expect(given.allSatisfy { $0.name == "f" })
    }
}
