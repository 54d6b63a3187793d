import CLlama
import Foundation
import Testing

/// Vocabularies that were loaded once: reading the largest takes a second.
private enum Vocabularies {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var loaded: [URL: Model] = [:]

    static func model(_ url: URL) throws -> Model {
        try lock.withLock {
            if let model = loaded[url] { return model }
            let model = try Model(url, vocabularyOnly: true)
            loaded[url] = model
            return model
        }
    }
}

@Suite("Tokenising with real vocabularies", .needsRuntime, .needsVocabularies)
struct VocabularyFilesTests {
    /// Texts and their tokens by the reference tokenisers, which come with each vocabulary.
    private func samples(_ url: URL) throws -> [(text: String, tokens: [Int32])] {
        let inputs = try String(contentsOf: url.appendingPathExtension("inp"), encoding: .utf8)
            .components(separatedBy: "\n__ggml_vocab_test__\n")
        let outputs = try String(contentsOf: url.appendingPathExtension("out"), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        return zip(inputs, outputs).map { text, line in (text, line.split(separator: " ").compactMap { Int32($0) }) }
    }

    @Test("Template text and plain input give the reference tokens", arguments: Files.vocabularies)
    func reference(url: URL) throws {
        guard FileManager.default.fileExists(atPath: url.path + ".inp") else { return }
        let model = try Vocabularies.model(url)
        let samples = try samples(url)
        #expect(samples.count > 30)
        for sample in samples {
            #expect(try model.tokens(.template(sample.text)) == sample.tokens, "\(sample.text)")
        }
    }

    private let nasty = [
        "", " ", "  a", "a ", "\n\n\n", "\t x", "<s></s><unk>", "<|im_start|>user<|im_end|>", "[CLS][SEP][MASK]",
        "<|endoftext|>", "<b>bold</b><table>", "日本語テキスト", "😀😀", "e\u{301}a\u{300}", "\u{2581}x",
        "I'm 123456 +-*/",
        "<start_of_turn>model\n", "<bos>a<eos>", "{\"a\": [1, 2]}", "    for x in y:\n\n        pass\n", "\u{0}\u{1}",
        "<｜end▁of▁sentence｜>", "<|turn>model<turn|>", "</think></s>",
    ]

    /// Ids that input must not yield: control tokens, and the tokens of all marker texts above.
    private func markers(_ model: Model) -> Set<Int32> {
        let control = (0..<model.info.vocabulary_size).filter { model.isControl($0) }
        let texts = ["<b>", "</b>", "<table>", "<|im_start|>", "<|endoftext|>", "</think>"]
        let special = texts.map { model.special($0) }.filter { $0 >= 0 }
        return Set(control + special)
    }

    @Test("PT-5: input yields no marker and loses no byte", arguments: Files.vocabularies)
    func input(url: URL) throws {
        // Encoders map unknown text to a marker and fold case and accents; they do not generate.
        guard !url.path.contains("bert") else { return }
        let model = try Vocabularies.model(url)
        let markers = markers(model)
        for text in nasty {
            let tokens = try model.tokens(.input(text))
            #expect(markers.isDisjoint(with: tokens), "\(text)")
            #expect(isSame(model.text(tokens), text), "\(text)")
            let between = try model.tokens(.template("x"), .input(text), .template("y"))
            #expect(markers.isDisjoint(with: between), "\(text)")
            #expect(isSame(model.text(between), "x\(text)y"), "\(text)")
        }
    }

    /// SentencePiece vocabularies put a space before a text and do not tell U+2581 from a space.
    private func isSame(_ decoded: String, _ text: String) -> Bool {
        let spaced = text.replacingOccurrences(of: "\u{2581}", with: " ")
        return [text, spaced, " " + spaced].contains(decoded)
    }

    @Test("S14: bytes that are no UTF-8 give tokens in every vocabulary", arguments: Files.vocabularies)
    func invalidText(url: URL) throws {
        let model = try Vocabularies.model(url)
        for bytes: [UInt8] in [[0xE6, 0xAD], [0x61, 0xFF, 0x62], [0xF0, 0x9F]] {
            let tokens = try model.tokens(input: bytes)
            // Encoders drop what they do not know.
            #expect(!tokens.isEmpty || url.path.contains("bert"))
        }
    }

    @Test("Long runs without a break end, also on a small stack", arguments: Files.vocabularies)
    func longRuns(url: URL) async throws {
        let model = try Vocabularies.model(url)
        nonisolated(unsafe) let shared = model
        let counts = await withCheckedContinuation { (continuation: CheckedContinuation<[Int], Never>) in
            let thread = Thread {
                let texts = ["a", "1", "!", " ", "日"].map { String(repeating: $0, count: 4000) }
                continuation.resume(returning: texts.map { (try? shared.tokens(.input($0)).count) ?? -1 })
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
        #expect(counts.allSatisfy { $0 >= 0 })
        withExtendedLifetime(model) {}
    }
}
