import CLlama
import Foundation
import Testing

/// A dialogue whose greedy continuation is known.
private struct Dialogue: Decodable, CustomTestStringConvertible {
    struct Message: Decodable {
        var role: String
        var content: String?
    }

    var id: String
    var enablesThinking: Bool
    var messages: [Message]
    var expected: String

    private enum CodingKeys: String, CodingKey {
        case id, messages, expected
        case enablesThinking = "enable_thinking"
    }

    var testDescription: String { id }

    /// Plain dialogues with thinking, whose prompt is just their messages.
    static let plain: [Dialogue] = {
        struct Anything: Decodable {}
        struct Tools: Decodable {
            var tools: [Anything]
        }
        guard let data = try? Data(contentsOf: Files.dialogues),
            let all = try? JSONDecoder().decode([Dialogue].self, from: data),
            let tools = try? JSONDecoder().decode([Tools].self, from: data)
        else { return [] }
        let fitting = zip(all, tools).filter { dialogue, tools in
            dialogue.enablesThinking && tools.tools.isEmpty && dialogue.messages.count == 1
        }
        return fitting.prefix(5).map(\.0)
    }()

    var prompt: [Part] {
        messages.flatMap { message in
            [
                Part.template("<|im_start|>\(message.role)\n"), .input(message.content ?? ""),
                .template("<|im_end|>\n"),
            ]
        } + [.template("<|im_start|>assistant\n")]
    }
}

@Suite("Generating text", .needsRuntime)
struct GenerationTests {
    @Test("Greedy text is the one the model was measured with", arguments: Dialogue.plain)
    fileprivate func greedy(dialogue: Dialogue) throws {
        let model = try Model(Files.pocketModel)
        let context = try Context(
            model,
            Context.parameters {
                $0.context_size = 1024
                $0.batch_size = 512
            })
        let parts = dialogue.prompt
        let prompt = try model.tokens(
            parts.flatMap(\.bytes), parts.map { cl_segment(length: $0.bytes.count, is_input: $0.isInput) })
        try context.append(prompt)
        let sampler = try Sampler(model)
        var reply: [Int32] = []
        var index = prompt.count - 1
        while reply.count < 200 {
            let token = try sampler.sample(context, index: index)
            if model.endsGeneration(token) { break }
            reply.append(token)
            try context.append([token])
            index = 0
        }
        #expect(model.text(reply) == dialogue.expected)
    }

    @Test("The dialogues are there")
    func dialogues() {
        #expect(!Dialogue.plain.isEmpty)
    }
}
