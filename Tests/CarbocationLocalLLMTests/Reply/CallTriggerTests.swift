import TestSupport
import Testing

@testable import CarbocationLocalLLM

@Suite("CallTrigger")
struct CallTriggerTests {
    private static func candidate(_ openers: [String], _ pieces: [[UInt8]]) throws -> String {
        var trigger = try #require(CallTrigger(openers: openers))
        for piece in pieces { piece.withUnsafeBufferPointer { trigger.push($0) } }
        return String(decoding: trigger.candidate, as: UTF8.self)
    }

    @Test(
        "what came from the last opener on is kept, however the text is cut",
        arguments: [
            (["<tool_call>"], "I see.\n<tool_call>\n{\"na", "<tool_call>\n{\"na"),
            (["<tool_call>"], "no call < tool", ""),
            (["<tool_call>"], "`<tool_call>` is a tag <tool_call>é", "<tool_call>é"),
            (["<a>", "<a>\n<b>"], "x<a>\n<b>y", "<a>\n<b>y"),
            (["<f", "<f=add>"], "<f=add>{", "<f=add>{"),
            (["aa"], "aaa!", "aa!"),
        ])
    func candidate(openers: [String], text: String, expected: String) throws {
        for chunks in text.byteChunkings() {
            #expect(try Self.candidate(openers, chunks) == expected)
        }
    }

    @Test("an opener is forgotten after a while, and when asked to")
    func forgotten() throws {
        #expect(try Self.candidate(["<c>"], [Array("<c>".utf8), [UInt8](repeating: 65, count: 300)]).isEmpty)
        var trigger = try #require(CallTrigger(openers: ["<c>"]))
        Array("<c>x".utf8).withUnsafeBufferPointer { trigger.push($0) }
        trigger.reset()
        #expect(trigger.candidate.isEmpty)
        Array("<c".utf8).withUnsafeBufferPointer { trigger.push($0) }
        trigger.reset()
        Array(">".utf8).withUnsafeBufferPointer { trigger.push($0) }
        #expect(trigger.candidate.isEmpty)
    }

    @Test("there is none without openers")
    func none() {
        #expect(CallTrigger(openers: []) == nil)
        #expect(CallTrigger(openers: [""]) == nil)
    }
}
