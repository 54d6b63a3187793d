import CarbocationLocalLLM
import Foundation
import TestSupport
import Testing

private let think = OutputDelimiterPair(open: "<think>", close: "</think>")
private let thinking = OutputSanitizationProfile(thinkingPairs: [think])
private let now = LLMToolDefinition(name: "now", description: "The time.")

/// What a reader makes of a whole output.
private struct Reading: Equatable {
    /// How much of the raw text comes out behind the value that ends the output depends on how it was cut.
    var raw = ""
    var thinkingText = ""
    var finalText = ""
    var calls: [String] = []
    var stopReason: LLMStopReason?

    init(_ format: ReplyFormat, _ pieces: [[UInt8]]) {
        var reader = ReplyReader(format)
        var accumulator = GenerationAccumulator()
        for piece in pieces { take(reader.push(piece), &accumulator) }
        take(reader.finish(), &accumulator)
        thinkingText = accumulator.text(of: .thinking)
        finalText = accumulator.text(of: .final)
        stopReason = reader.stopReason
    }

    static func == (one: Reading, other: Reading) -> Bool {
        one.thinkingText == other.thinkingText && one.finalText == other.finalText && one.calls == other.calls
            && one.stopReason == other.stopReason
    }

    private mutating func take(_ outputs: [ReplyOutput], _ accumulator: inout GenerationAccumulator) {
        accumulator.append(outputs) { _ in }
        for output in outputs {
            if case .raw(let text) = output { raw += text }
            if case .call(let call) = output { calls.append(call.name) }
        }
    }
}

/// Reads `text` in every way to cut it; all must agree, and the reading of the whole is returned.
private func read(_ text: String, _ format: ReplyFormat) -> Reading {
    let whole = Reading(format, [Array(text.utf8)])
    for pieces in text.byteChunkings() { #expect(Reading(format, pieces) == whole, "\(text) cut as \(pieces)") }
    return whole
}

private func markers(_ start: StartPhase = .unknown) -> ReplyFormat.Phases { .markers(thinking, start) }

@Suite("Reading a reply")
struct ReplyReaderTests {
    @Test("S04, S06, S07: stops over several tokens, text before them, and prefixes that come to nothing")
    func stops() {
        let fox = read("quick brown fox jumps", ReplyFormat(stops: ["brown fox"]))
        #expect(fox.finalText == "quick " && fox.raw == "quick " && fox.stopReason == .stopSequence)
        #expect(read("Mars?\n", ReplyFormat(stops: ["\n"])).finalText == "Mars?")
        let pleas = read("pleas", ReplyFormat(stops: ["<|eot|>assistant"]))
        #expect(pleas.finalText == "pleas" && pleas.stopReason == nil)
    }

    @Test("S08: output that ends with part of a tag keeps it")
    func partialTags() {
        #expect(read("2 <", ReplyFormat(phases: markers())).finalText == "2 <")
        #expect(read("<think>half </th", ReplyFormat(phases: markers())).thinkingText == "half </th")
    }

    @Test("S12: what a stop gives back at the end goes through the same stages as all other text")
    func releasedText() {
        let tools = ReplyFormat.Answer.tools(.detect(template: "<tool_call>", analysis: nil), [now])
        let call = "<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>"
        let calling = read(call, ReplyFormat(stops: ["</tool_call>ZZ"], phases: markers(), answer: tools))
        #expect(calling.calls == ["now"] && calling.finalText.isEmpty && calling.stopReason == .toolCallComplete)
        let plan = read("<think>plan</think>", ReplyFormat(stops: ["</think>ZZ"], phases: markers()))
        #expect(plan.thinkingText == "plan" && plan.finalText.isEmpty)
    }

    @Test("SM-5: a stop that is also a marker does not stop while the marker is awaited")
    func awaitedStops() {
        let format = ReplyFormat(stops: ["</think>"], phases: markers())
        let awaited = read("<think>a</think>b", format)
        #expect(awaited.thinkingText == "a" && awaited.finalText == "b" && awaited.stopReason == nil)
        let later = read("<think>a</think>b </think> c", format)
        #expect(later.finalText == "b " && later.stopReason == .stopSequence)
    }

    @Test("TF-4, TL-12: what is whole when the output ends is a call, whatever ends it; the rest is none")
    func endings() {
        let one = "<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>"
        func reader(_ text: String, stops: [String] = []) -> ReplyReader {
            let answer = ReplyFormat.Answer.tools(.detect(template: "<tool_call>", analysis: nil), [now])
            var reader = ReplyReader(ReplyFormat(stops: stops, phases: markers(), answer: answer))
            #expect(!reader.push(Array(text.utf8)).isEmpty)
            let last = reader.finish()
            let calls = last.filter { if case .call = $0 { true } else { false } }
            #expect(calls.count == text.components(separatedBy: "</tool_call>").count - 1, "\(text)")
            return reader
        }
        #expect(reader(one).stopReason == .toolCallComplete)
        #expect(reader(one + "\nSTOP", stops: ["STOP"]).stopReason == .toolCallComplete)
        let between = reader(one + "\n<tool_call>{\"name\":\"no")
        #expect(between.stopReason == .toolCallComplete)
        #expect(between.incompleteCall == "<tool_call>{\"name\":\"no")
        let within = reader("Hm. <tool_call>{\"name\":\"now\",\"argu")
        #expect(within.stopReason == nil && within.incompleteCall?.hasPrefix("<tool_call>") == true)
        let stopped = reader("Hm. <tool_call>{\"name\":\"now\",\"arguments\":{}", stops: ["arguments"])
        #expect(stopped.stopReason == .stopSequence)
        #expect(stopped.incompleteCall == "<tool_call>{\"name\":\"now\",\"")
    }

    @Test("K11: the closing tag before a call ends the thinking")
    func thinkingBeforeCall() {
        let tools = ReplyFormat.Answer.tools(.detect(template: "<tool_call>", analysis: nil), [now])
        let text = "<think>p</think>\n<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>"
        let reading = read(text, ReplyFormat(phases: markers(), answer: tools))
        #expect(reading.thinkingText == "p" && reading.finalText.isEmpty && reading.calls == ["now"])
    }

    @Test("K04: a closer that is a token counts only as that token")
    func tokenMarkers() {
        let format = ReplyFormat(phases: markers(), tokenMarkers: ["</think>"])
        var reader = ReplyReader(format)
        var outputs: [ReplyOutput] = []
        let quoted = "<think>it ends with `</think>` so.\n"
        for byte in quoted.utf8 { outputs += reader.push([byte]) }
        outputs += reader.push(Array("</think>".utf8), marker: "</think>")
        outputs += reader.push(Array("\n\nok".utf8)) + reader.finish()
        let texts = outputs.compactMap { if case .content(let text, let phase) = $0 { (text, phase) } else { nil } }
        #expect(texts.filter { $0.1 == .thinking }.map(\.0).joined() == "it ends with `</think>` so.")
        #expect(texts.filter { $0.1 == .final }.map(\.0).joined() == "ok")
    }

    @Test("JB-3: balanced JSON counts in the answer only, ends the output, and yields to a stop before it")
    func balancedJSON() {
        let format = ReplyFormat(phases: markers(.thinking(think)), answer: .balancedJSON)
        let reading = read("reasoning {\"draft\":true}</think>{\"title\":\"x\"} trailing", format)
        #expect(reading.thinkingText == "reasoning {\"draft\":true}")
        #expect(reading.finalText == "{\"title\":\"x\"}" && reading.stopReason == .jsonComplete)
        let stopped = read("prefix STOP {\"ok\":true}", ReplyFormat(stops: ["STOP"], answer: .balancedJSON))
        #expect(stopped.finalText == "prefix " && stopped.stopReason == .stopSequence)
        let none = read("no value", ReplyFormat(answer: .balancedJSON))
        #expect(none.finalText == "no value" && none.stopReason == nil)
    }

    @Test("ST-3: structured output is announced with what there is of it, and its absence is a failure")
    func structured() {
        let format = ReplyFormat(phases: markers(.thinking(think)), answer: .structured(.lazy))
        var reader = ReplyReader(format)
        let outputs = reader.push(Array("plan</think>\n12".utf8)) + reader.finish()
        #expect(outputs.contains(.answerBegan(with: "12")))
        #expect(outputs.contains(.content("12", .final)))
        #expect(reader.failure(endingWith: .complete) == nil)
        var cut = ReplyReader(format)
        _ = cut.push(Array("plan</think>".utf8)) + cut.finish()
        #expect(cut.failure(endingWith: .complete) != nil)
        var thinkingOnly = ReplyReader(format)
        _ = thinkingOnly.push(Array("plan".utf8)) + thinkingOnly.finish()
        #expect(thinkingOnly.failure(endingWith: .maxTokens) == nil)
    }

    @Test("TL-2: without tools a message to one is text")
    func harmonyWithoutTools() {
        let format = ReplyFormat(phases: .harmony(promptTail: "<|start|>assistant", startsInThinking: nil))
        let text = "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>yes"
        let reading = read(text, format)
        #expect(reading.thinkingText == "hm" && reading.finalText == "yes" && reading.raw == text)
    }

    @Test("EV-10: raw text comes before its content and after the phase it begins in; joined it is the whole output")
    func order() {
        var reader = ReplyReader(ReplyFormat(phases: markers()))
        var accumulator = GenerationAccumulator()
        var names: [String] = []
        accumulator.append(reader.push(Array("<think>a".utf8))) { event in
            names.append(String(String(describing: event).prefix { $0 != "(" }))
        }
        #expect(names == ["phaseChanged", "tokenChunk", "contentDelta"])
        #expect(accumulator.rawText == "<think>a")
    }

    @Test("S11: the cost of a byte does not grow with the output", arguments: [1, 2])
    func linear(factor: Int) {
        let tools = ReplyFormat.Answer.tools(.detect(template: "<tool_call>", analysis: nil), [now])
        var reader = ReplyReader(ReplyFormat(stops: ["</s>"], phases: markers(), answer: tools))
        var seen = 0
        let body = String(repeating: "x < y ", count: 5000 * factor)
        for byte in body.utf8 { seen += reader.push([byte]).count }
        seen += reader.finish().count
        #expect(seen <= 3 * body.utf8.count)
    }
}
