import CarbocationLocalLLM
import Testing

@testable import CLLMCommands

@Suite struct DebugJSONSliceCommandTests {
    @Test(
        "JB-1: the value that a generation would end with",
        arguments: [
            ("preamble {\"items\":[{\"ok\":true}]} trailing", "{\"items\":[{\"ok\":true}]}"),
            ("[[1,2],[3,4]] see [docs]", "[[1,2],[3,4]]"), ("see [1] for more", "[1]"),
            ("Items [see below]: {\"a\":1}", "{\"a\":1}"),
        ])
    func value(text: String, value: String) async {
        var session = CommandSession()
        session.input = MemoryReader(text)
        #expect(await session.run("debug", "json-slice") == 0)
        #expect(session.output.text == value + "\n")
    }

    @Test("J05, J07: without a complete value it fails", arguments: ["{\"t\":\"x } y", "{\"a\":[1,2,],}", "", "text"])
    func none(text: String) async {
        var session = CommandSession()
        session.input = MemoryReader(text)
        #expect(await session.run("debug", "json-slice") == 1)
        #expect(session.output.text.isEmpty)
    }
}
