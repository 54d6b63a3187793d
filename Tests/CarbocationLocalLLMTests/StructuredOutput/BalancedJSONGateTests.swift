import CarbocationLocalLLM
import TestSupport
import Testing

@Suite("BalancedJSONGate", .timeLimit(.minutes(10)))
struct BalancedJSONGateTests {
    /// What the outputs of a run add up to.
    struct Folded: Equatable {
        var text = ""
        var isAccepted = false
        var isIncomplete = false

        mutating func add(_ outputs: [BalancedJSONOutput]) {
            for output in outputs {
                switch output {
                case .text(let addition): text += addition
                case .replace(let whole): text = whole
                case .accepted: isAccepted = true
                }
            }
        }
    }

    /// The text after each piece and at the end.
    private static func run(_ pieces: [String]) -> (states: [String], end: Folded) {
        var gate = BalancedJSONGate()
        var folded = Folded()
        let states = pieces.map { piece in
            folded.add(gate.push(piece))
            return folded.text
        }
        #expect(folded.isAccepted == gate.accepted)
        folded.add(gate.finish())
        #expect(folded.isAccepted == gate.accepted)
        folded.isIncomplete = gate.isIncomplete
        return (states, folded)
    }

    @Test(
        "JB-3: the answer is exactly the value, or all of the text",
        arguments: BalancedJSONSamples.table + BalancedJSONSamples.cases + BalancedJSONSamples.further)
    func answers(sample: BalancedJSONSamples.Sample) {
        let isOpen = BalancedJSONReference.search(sample.text, atEnd: true).open != nil
        let expected = Folded(
            text: sample.end ?? sample.text, isAccepted: sample.end != nil, isIncomplete: sample.end == nil && isOpen)
        for chunks in sample.text.byteChunkings() {
            var assembler = UTF8Assembler()
            #expect(Self.run(chunks.map { assembler.push($0) }).end == expected)
        }
    }

    @Test("JB-3: text is withheld, a candidate streams, a dropped one is taken back")
    func streaming() {
        var gate = BalancedJSONGate()
        #expect(gate.push("Sure, ") == [])
        #expect(gate.push("here {") == [.text("{")])
        #expect(gate.push("\"a\"") == [.text("\"a\"")])
        #expect(gate.push("}") == [.replace("")])
        #expect(gate.push(" no, [") == [.text("[")])
        #expect(gate.push("{\"b\":1}") == [.text("{\"b\":1}")])
        #expect(gate.push(", x {") == [.replace("{\"b\":1}"), .accepted])
    }

    @Test("JB-3: what follows the value is not part of the answer")
    func acceptance() {
        var gate = BalancedJSONGate()
        #expect(gate.push("a {\"b\":") == [.text("{\"b\":")])
        #expect(gate.push("1} c {\"d\":2}") == [.text("1}"), .accepted])
        #expect(gate.accepted)
        #expect(gate.push("more") == [])
        #expect(gate.finish() == [])
        var nested = BalancedJSONGate()
        #expect(nested.push("[{\"a\":1}, ") == [.text("[{\"a\":1}, ")])
        #expect(nested.push("bad") == [.replace("{\"a\":1}"), .accepted])
    }

    @Test("JB-2, JB-3: a weak candidate comes back at the end")
    func weak() {
        var gate = BalancedJSONGate()
        #expect(gate.push("see [1") == [.text("[1")])
        #expect(gate.push("] for more") == [.replace("")])
        #expect(!gate.accepted)
        #expect(gate.finish() == [.text("[1]"), .accepted])
        #expect(gate.accepted)
    }

    @Test("J07: text cut off within a value is whole and incomplete")
    func incomplete() {
        var gate = BalancedJSONGate()
        #expect(gate.push("so: {\"t\":\"x } y") == [.text("{\"t\":\"x } y")])
        #expect(!gate.accepted)
        #expect(gate.finish() == [.replace("so: {\"t\":\"x } y")])
        #expect(!gate.accepted && gate.isIncomplete)
        var leading = BalancedJSONGate()
        #expect(leading.push("{\"t\":1") == [.text("{\"t\":1")])
        #expect(leading.finish() == [])
        #expect(leading.isIncomplete)
        var prose = BalancedJSONGate()
        #expect(prose.push("no JSON") == [])
        #expect(prose.finish() == [.text("no JSON")])
        #expect(!prose.isIncomplete)
    }

    @Test("JB-3: what is shown depends on the text so far and not on how it was cut")
    func chunkings() {
        for text in BalancedJSONSamples.scrambled(count: 300, longest: 20, seed: 3) {
            let scalars = Array(text.unicodeScalars)
            func prefix(_ length: Int) -> String { scalars[..<length].map(String.init).joined() }
            for chunks in scalars.chunkings(samples: 4) {
                let pieces = chunks.map { $0.map(String.init).joined() }
                let (states, end) = Self.run(pieces)
                var length = 0
                for (chunk, state) in zip(chunks, states) {
                    length += chunk.count
                    let shown = Self.shown(of: prefix(length))
                    #expect(state == shown, "\(text.debugDescription) cut as \(pieces)")
                }
                let value = BalancedJSONReference.search(text, atEnd: true).value
                let bytes = Array(text.utf8)
                #expect(end.text == value.map { String(decoding: bytes[$0], as: UTF8.self) } ?? text)
            }
        }
    }

    /// What is to be seen of a text that may go on.
    private static func shown(of text: String) -> String {
        let (value, open) = BalancedJSONReference.search(text, atEnd: false)
        let bytes = Array(text.utf8)
        if let value { return String(decoding: bytes[value], as: UTF8.self) }
        return open.map { String(decoding: bytes[$0...], as: UTF8.self) } ?? ""
    }

    @Test("RS-1: segments are joined as in the result, and what was shown stays right")
    func segments() {
        var gate = BalancedJSONGate()
        var content = PhasedText()
        func apply(_ outputs: [BalancedJSONOutput]) {
            for output in outputs {
                switch output {
                case .text(let text): _ = content.append(text, to: .final)
                case .replace(let text): content.replace(.final, with: text)
                case .accepted: break
                }
            }
        }
        apply(gate.push("so [{\"a\":"))
        gate.segmentEnd()
        content.endSegment()
        _ = content.append("hm", to: .thinking)
        apply(gate.push("1},"))
        #expect(content.text(of: .final) == "[{\"a\":\n1},")
        apply(gate.push("2"))
        #expect(content.text(of: .final) == "[{\"a\":\n1},2")
        apply(gate.finish())
        #expect(content.text(of: .final) == "so [{\"a\":\n1},2")
    }

    @Test(
        "JB-3: all corrections together are linear, also when each byte comes on its own",
        arguments: [
            ("[1] ", 4), ("[1] x [", 4), ("{\"aaaaaaaaaaaaaaaa\n", 4), ("[\"[\"{\"\n", 4), ("{\"[", 4), ("[\"\\\"[", 4),
            // Each level that is too deep repeats the 256 in it.
            ("[", 256), ("{\"a\":[", 256 * 6),
        ])
    func linearOutput(unit: String, factor: Int) {
        let text = String(repeating: unit, count: 3_000 / unit.utf8.count)
        var gate = BalancedJSONGate()
        let outputs = text.map { gate.push(String($0)) } + [gate.finish()]
        let length = outputs.joined().reduce(0) { length, output in
            switch output {
            case .text(let text), .replace(let text): length + text.utf8.count
            case .accepted: length
            }
        }
        #expect(length <= factor * text.utf8.count)
    }
}
