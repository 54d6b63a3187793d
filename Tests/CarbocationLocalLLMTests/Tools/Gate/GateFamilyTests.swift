import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("Calls of every family, however the output is cut")
struct GateFamilyTests {
    static let samples = FamilySample.all + FamilySample.more
    static let tools = [
        GateTools.tool("note", ["text": ["type": "string"]]), GateTools.tool("find", ["q": ["type": "string"]]),
    ]

    private func gate(_ sample: FamilySample) -> ToolGate {
        ToolGate(
            syntax: .detect(template: sample.template.isEmpty ? nil : sample.template, analysis: nil),
            tools: Self.tools)
    }

    private func run(
        _ sample: FamilySample, _ output: String, cutDistance: Int = 1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> GateRun {
        GateRun.everyChunking(
            gate(sample), Turn(output), cutDistance: cutDistance, sourceLocation: sourceLocation)
    }

    private func calls(_ sample: FamilySample, _ calls: (String, String, String)...) -> String {
        sample.opener + calls.map { sample.call($0.0, $0.1, $0.2) }.joined(separator: sample.separator)
            + sample.closer
    }

    private func expected(_ tool: String, _ key: String, _ text: String) -> String {
        "\(tool) {\"\(key)\":\(FamilySample.object(text))}"
    }

    @Test("one call, after text where that is allowed", arguments: samples)
    func textBefore(sample: FamilySample) {
        let text = sample.allowsText ? "Let me look.\n\n" : ""
        let run = run(sample, text + calls(sample, ("note", "text", "hi there")))
        #expect(run.final == text)
        #expect(run.names == [expected("note", "text", "hi there")])
        #expect(run.rejected.isEmpty)
        #expect(run.isComplete)
    }

    @Test("two calls of one turn", arguments: samples)
    func parallel(sample: FamilySample) {
        let run = run(sample, calls(sample, ("note", "text", "one"), ("find", "q", "two")) + "\n", cutDistance: 3)
        #expect(run.final == "")
        #expect(run.names == [expected("note", "text", "one"), expected("find", "q", "two")])
        #expect(Set(run.order).count == 2)
    }

    @Test("other text behind calls ends the turn", arguments: samples.filter(\.allowsTextAfter))
    func textAfter(sample: FamilySample) {
        let run = run(sample, calls(sample, ("note", "text", "one")) + "\n\nNow waiting.", cutDistance: 5)
        #expect(run.final == "")
        #expect(run.names == [expected("note", "text", "one")])
        #expect(run.isComplete)
    }

    @Test("text beyond ASCII", arguments: samples)
    func unicode(sample: FamilySample) {
        let run = run(sample, calls(sample, ("note", "text", "Größe: 漢字 😀, naïve")), cutDistance: 4)
        #expect(run.names == [expected("note", "text", "Größe: 漢字 😀, naïve")])
    }

    @Test("brackets, quotes and markers in a string", arguments: samples)
    func brackets(sample: FamilySample) {
        let text = #"end } here ] " { and )]} `x`"#
        let run = run(sample, calls(sample, ("note", "text", text)), cutDistance: 4)
        #expect(run.names == [expected("note", "text", text)])
        #expect(run.final == "")
    }

    @Test("a call that is cut off", arguments: samples)
    func truncated(sample: FamilySample) {
        let call = calls(sample, ("note", "text", "some words CUT and more"))
        let end = call.firstRange(of: " CUT")
        let cut = end.map { String(call[..<$0.lowerBound]) } ?? ""
        let text = sample.allowsText ? "Sure. " : ""
        let run = run(sample, text + cut, cutDistance: 3)
        #expect(run.final == text)
        #expect(run.names.isEmpty)
        #expect(run.rejected.isEmpty)
        #expect(run.incompleteCall == cut)
        #expect(!run.isComplete)
    }

    @Test("TL-9, TL-12: wherever a limit cuts, only calls that are whole count", arguments: samples)
    func limits(sample: FamilySample) {
        let output = Array(calls(sample, ("note", "text", "one 12"), ("find", "q", "two 34")).utf8)
        let whole = [expected("note", "text", "one 12"), expected("find", "q", "two 34")]
        for length in output.indices {
            // Models end with a whole character, or with one that can no longer be told.
            guard let cut = String(validating: output[..<length], as: UTF8.self) else { continue }
            let run = GateRun(gate(sample), Turn(cut))
            #expect(whole.starts(with: run.names), "\(cut.debugDescription)")
            #expect(run.rejected.isEmpty, "\(cut.debugDescription)")
            #expect(!run.final.contains("one"), "\(cut.debugDescription)")
        }
    }

    @Test("a call in thinking counts if nothing follows", arguments: samples.filter(\.thinks))
    func inThinking(sample: FamilySample) {
        let call = calls(sample, ("note", "text", "one"))
        let alone = run(sample, "<think>I need data.\n" + call, cutDistance: 3)
        #expect(alone.thinking == "I need data.")
        #expect(alone.names == [expected("note", "text", "one")])
        #expect(alone.calls.first?.triggerPhase == .thinking)
        let answered = run(sample, "<think>I need \(call)</think>\n\nThe answer is 4.", cutDistance: 7)
        #expect(answered.thinking == "I need " + call)
        #expect(answered.final == "The answer is 4.")
        #expect(answered.names.isEmpty)
        #expect(answered.segments.count == 2)
        let again = run(sample, "<think>\(call)</think>" + calls(sample, ("find", "q", "two")), cutDistance: 7)
        #expect(again.thinking == call)
        #expect(again.names == [expected("find", "q", "two")])
        #expect(again.calls.first?.triggerPhase == .final)
    }

    @Test("an undeclared name is a mistake in a native envelope", arguments: samples.filter(\.thinks))
    func undeclared(sample: FamilySample) {
        let call = calls(sample, ("nope", "text", "one"))
        let run = run(sample, call, cutDistance: 5)
        let isText = sample.template.isEmpty
        #expect(run.final == (isText ? call : ""))
        #expect(run.rejected.map(\.code) == (isText ? [] : [.unknownTool]))
        #expect(run.rejected.map(\.message) == (isText ? [] : ["Unknown tool: nope"]))
        #expect(run.names.isEmpty)
    }
}
